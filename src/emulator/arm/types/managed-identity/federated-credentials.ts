/** Federated credentials of managed identities, written one at a time. */
import { z } from "zod";
import { ApiError } from "../../../core/service.js";
import { parentNotFound } from "../../errors.js";
import { keyOf } from "../../resource-id.js";
import { type ArmCall, defineType, type Put } from "../../resource-type.js";
import { known } from "../../body-schema.js";
import { checkWriteRate, identityVersions } from "./managed-identities.js";
import { childrenOf, parentResource, sameId } from "../../uses.js";

const credentialType = "Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials";
const collection = "federatedIdentityCredentials";
const mostOnIdentity = 20;

const body = known(
  {
    properties: z.strictObject({ issuer: z.string(), subject: z.string(), audiences: z.array(z.string()) }),
  },
  ["id", "name", "type", "systemData"],
);

type Body = z.output<typeof body>;

export const federatedIdentityCredentials = defineType<Body>({
  name: credentialType,
  // 2022-01-31-preview is the first version that has them.
  apiVersions: identityVersions.filter((version) => version > "2022"),
  verbs: ["read", "write", "delete"],
  kind: "proxy",
  lowerCaseGroup: true,
  // Clients written in Go recognize a missing credential by this code alone.
  missingRefusal: (id) => new ApiError(404, "NotFound", `Resource '${id.replace("/resourceGroups/", "/resourcegroups/")}' was not found.`),
  locationOfCreated: true,
  namePattern: /^[a-zA-Z0-9][\w-]{2,119}$/,
  nameRule: "It must have 3 to 120 letters, digits, '_' or '-', and begin with a letter or digit.",
  body,
  latency: { put: "fic.put", delete: "fic.put" },
  checkPut(put) {
    checkParent(put);
    checkWriteRate(put.call, credentialType, put.id);
    checkValues(put.body);
    checkOthers(put);
  },
  holdFor: takeTurn,
  storedProperties: ({ body: { properties } }) => properties,
});

/** For some seconds after its creation, the identity has not replicated everywhere. */
function checkParent({ call, state, id }: Put<Body>): void {
  const { id: identity, createdAt = 0 } = parentResource(state, id);
  if (call.now < createdAt + call.milliseconds(state.knobs?.identityLagSeconds ?? 0)) {
    throw parentNotFound("write", { name: credentialType }, identity);
  }
}

function checkValues({ properties: { issuer, subject, audiences } }: Body): void {
  if (issuer === "" || subject === "" || audiences.some((audience) => audience === "")) {
    throw badRequest("The request format was unexpected. Federated Identity Credential must specify 'issuer', 'subject' and 'audience'.");
  }
  if (audiences.length !== 1) throw badRequest("Federated identity credentials must have exactly one audience.");
  if (!URL.canParse(issuer) || new URL(issuer).protocol !== "https:") {
    throw badRequest(`Federated Identity Credential issuer '${issuer}' is invalid. The issuer must be an HTTPS URL.`);
  }
}

function checkOthers({ state, id, body: { properties } }: Put<Body>): void {
  const others = childrenOf(state, parentResource(state, id).id, collection).filter((one) => !sameId(one.id, id));
  if (others.some((one) => one.properties["issuer"] === properties.issuer && one.properties["subject"] === properties.subject)) {
    throw badRequest("Issuer and subject combination already exists for this Managed Identity.");
  }
  if (others.length >= mostOnIdentity) {
    throw badRequest(`Too many Federated Identity Credentials: a managed identity can have at most ${String(mostOnIdentity)} of them.`);
  }
}

/** One write at a time on an identity: creations, updates and deletes alike. */
function takeTurn({ state, now, milliseconds }: ArmCall, id: string, seconds: number): void {
  const identity = keyOf(parentResource(state, id).id);
  const writes = Object.entries(state.credentialWrites ?? {}).filter(([, until]) => until > now);
  if (writes.some(([held]) => held === identity)) {
    throw new ApiError(
      409,
      "ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity",
      `Too many Federated Identity Credentials are written concurrently for the managed identity '${identity}'. ` +
        "Concurrent Federated Identity Credentials writes under the same managed identity are not supported.",
    );
  }
  const until = now + milliseconds(seconds);
  state.credentialWrites = Object.fromEntries(until > now ? [...writes, [identity, until]] : writes);
}

function badRequest(message: string): ApiError {
  return new ApiError(400, "BadRequest", message);
}

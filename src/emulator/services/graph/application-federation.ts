/** Federated credentials of applications: the issuers and subjects whose tokens an application accepts as its own. */
import { z } from "zod";
import type { Answer, Call } from "../../core/service.js";
import type { Application, FederatedCredential } from "../../state/application.js";
import { readBody } from "./body.js";
import { changeable } from "./deleted-items.js";
import { badRequest, conflicting, invalidValue, notFound } from "./errors.js";
import { checkOptions, collections, findOr404, type Key } from "./query.js";
import { requireChange } from "./rights.js";
import { logOperation } from "../../state/operation-log.js";

const entity = "FederatedIdentityCredential";
const context = "https://graph.microsoft.com/v1.0/$metadata#federatedIdentityCredentials";
/** Azure's limit on one application. */
const mostOnApplication = 20;

const credentialBody = z.strictObject({
  name: z.string().regex(/^[a-zA-Z0-9][\w-]{2,119}$/),
  issuer: z.url({ protocol: /^https$/ }),
  subject: z.string().min(1).max(600),
  audiences: z.array(z.string().min(1)).length(1),
  description: z.string().nullish(),
});

const credentialsOf = ({ federatedCredentials = [] }: Application): readonly FederatedCredential[] => federatedCredentials;

const present = ({ createdAt: _createdAt, ...credential }: FederatedCredential): Record<string, unknown> => credential;

export function listFederatedCredentials(call: Call, key: Key): Answer {
  checkOptions(call.request, new Set());
  const application = changeable(findOr404(call, collections.applications, key));
  return { status: 200, takes: call.sample("read"), body: { "@odata.context": context, value: credentialsOf(application).map(present) } };
}

/** Finds it by ID or name. */
export function getFederatedCredential(call: Call, key: Key, id: string): Answer {
  checkOptions(call.request, new Set());
  const application = changeable(findOr404(call, collections.applications, key));
  const credential = credentialsOf(application).find((each) => each.id === id || each.name === id);
  if (credential === undefined) throw notFound(id);
  return { status: 200, takes: call.sample("read"), body: { "@odata.context": `${context}/$entity`, ...present(credential) } };
}

export function addFederatedCredential(call: Call, key: Key): Answer {
  const application = changeable(findOr404(call, collections.applications, key));
  requireChange(call, application.owners ?? []);
  const { description = null, ...sent } = readBody(call, credentialBody, entity);
  const others = credentialsOf(application);
  if (others.length >= mostOnApplication) throw invalidValue("federatedIdentityCredentials", "Application");
  if (others.some(({ name }) => name === sent.name)) throw conflicting("name");
  if (others.some(({ issuer, subject }) => issuer === sent.issuer && subject === sent.subject)) {
    throw badRequest(
      "FederatedIdentityCredential with the same issuer and subject already exists on this application.",
      "Request_MultipleObjectsWithSameKeyValue",
    );
  }
  const credential: FederatedCredential = { id: call.uuid(), ...sent, description, createdAt: call.now };
  application.federatedCredentials = [...others, credential];
  return {
    status: 201,
    headers: { Location: `https://graph.microsoft.com/v1.0/applications/${application.id}/federatedIdentityCredentials/${credential.id}` },
    takes: write(call, "POST", application),
    body: { "@odata.context": `${context}/$entity`, ...present(credential) },
  };
}

/** Finds it by ID or name. */
export function removeFederatedCredential(call: Call, key: Key, id: string): Answer {
  const application = changeable(findOr404(call, collections.applications, key));
  requireChange(call, application.owners ?? []);
  const others = credentialsOf(application).filter((each) => each.id !== id && each.name !== id);
  if (others.length === credentialsOf(application).length) throw notFound(id);
  application.federatedCredentials = others;
  return { status: 204, takes: write(call, "DELETE", application) };
}

function write(call: Call, verb: string, { uniqueName, id }: Application): number {
  const seconds = call.sample("graph.application");
  logOperation(call.state, { resource: `graph/applications/${uniqueName ?? id}/federatedIdentityCredentials`, verb, seconds });
  return seconds;
}

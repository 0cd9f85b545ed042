/** Keys of a vault as ARM sees them: read, and created once. */
import { z } from "zod";
import { ApiError } from "../../../core/service.js";
import { known, oneOf } from "../../body-schema.js";
import { defineType, type Put } from "../../resource-type.js";
import { namedIn } from "../../../common/named.js";
import { keyOf } from "../../resource-id.js";
import { parentResource } from "../../uses.js";
import { deprecation, recoveryLevelOf, vaultVersions } from "./provider.js";
import { rotationOf, rotationPolicyBody } from "./rotation-policy.js";

/** Resource Manager never writes a key again, its tags included: so they are not those of the generic PUT. */
const keyBody = known(
  {
    tags: z.record(z.string(), z.string()).optional(),
    properties: z.strictObject({
      kty: oneOf("EC", "EC-HSM", "RSA", "RSA-HSM"),
      keySize: z.int().optional(),
      curveName: z.string().optional(),
      keyOps: z.array(z.string()).optional(),
      attributes: z.strictObject({ enabled: z.boolean().optional(), nbf: z.int().optional(), exp: z.int().optional() }).optional(),
      rotationPolicy: rotationPolicyBody.optional(),
    }),
  },
  ["id", "name", "type"],
).transform(({ tags, ...body }) => ({ ...body, ownTags: tags }));

const ellipticOps = ["sign", "verify"];
const rsaOps = ["encrypt", "decrypt", ...ellipticOps, "wrapKey", "unwrapKey"];

export const vaultKeys = defineType<z.output<typeof keyBody>>({
  name: "Microsoft.KeyVault/vaults/keys",
  apiVersions: vaultVersions,
  verbs: ["read", "write"],
  kind: "proxy",
  answerHeaders: deprecation,
  missingRefusal: () =>
    new ApiError(
      404,
      "ResourceNotFound",
      "The specified resource does not exist. Follow this link for more information: https://go.microsoft.com/fwlink/?linkid=2147446",
    ),
  createdStatus: 200,
  namePattern: /^[a-zA-Z0-9-]{1,127}$/,
  nameRule: "It must have 1 to 127 letters, digits and hyphens.",
  body: keyBody,
  latency: { put: "keyVault.update", delete: "keyVault.update" },
  storedMembers: ({ ownTags }, { state, id, existing }) =>
    existing?.beside ?? { location: parentResource(state, id).location, ...(ownTags !== undefined && { tags: ownTags }) },
  // "If it already exists, then the existing key is returned without any write operations being performed."
  storedProperties: (put) => {
    requireFreeName(put);
    return put.existing?.properties ?? firstVersion(put);
  },
  presentedProperties(state, { id, name, properties: { version, ...properties } }) {
    const uri = `${String(parentResource(state, id).properties["vaultUri"])}keys/${name}`;
    return { ...properties, keyUri: uri, keyUriWithVersion: `${uri}/${String(version)}` };
  },
});

export const vaultKeyVersions = defineType({
  name: "Microsoft.KeyVault/vaults/keys/versions",
  apiVersions: vaultVersions,
  verbs: ["read"],
  kind: "proxy",
  answerHeaders: deprecation,
  namePattern: /./,
  nameRule: "",
  latency: { put: "keyVault.update", delete: "keyVault.update" },
});

/** What the vault itself responds is passed on: a deleted key keeps its name until it is purged. */
function requireFreeName({ state, id }: Put<unknown>): void {
  const { name: vault } = parentResource(state, id);
  const name = id.split("/").at(-1) ?? "";
  const deleted = namedIn(state.vaults?.[keyOf(vault)]?.keys ?? {}, name.toLowerCase())?.deleted;
  if (deleted === undefined) return;
  throw new ApiError(
    409,
    "Conflict",
    `Key ${name} is currently in a deleted but recoverable state, and its name cannot be reused; in this state, the key can only be recovered or purged.`,
    { inner: "ObjectIsDeletedButRecoverable" },
  );
}

/** Each version can also be read by its own ID: a HostedCluster names one. */
function firstVersion({ call, state, id, body: { properties } }: Put<z.output<typeof keyBody>>): Record<string, unknown> {
  const name = call.uuid().replaceAll("-", "");
  const now = Math.floor(call.now / 1000);
  const { properties: vault } = parentResource(state, id);
  const { rotationPolicy, ...own } = properties;
  const said = {
    ...(properties.kty.startsWith("RSA") ? { keySize: 2048, keyOps: rsaOps } : { keyOps: ellipticOps }),
    ...own,
    attributes: {
      enabled: true,
      created: now,
      updated: now,
      recoveryLevel: recoveryLevelOf(vault),
      exportable: false,
      ...properties.attributes,
    },
  };
  const versionId = `${id}/versions/${name}`;
  state.resources[keyOf(versionId)] = {
    id: versionId,
    name,
    type: "Microsoft.KeyVault/vaults/keys/versions",
    createdAt: call.now,
    properties: said,
  };
  return { ...said, ...(rotationPolicy !== undefined && { rotationPolicy: rotationOf(rotationPolicy, now, undefined) }), version: name };
}

/** The access policies of a vault, written one by one: added to, replaced or taken away. */
import { type z } from "zod";
import { ApiError } from "../../../core/service.js";
import { known, readContent } from "../../body-schema.js";
import { ofResource } from "../../endpoint.js";
import { checkLocks } from "../../locks.js";
import { keyOf } from "../../resource-id.js";
import { vaultVersions } from "./provider.js";
import { accessPolicies } from "./vaults.js";

type Policies = z.output<typeof accessPolicies>;
type Policy = Policies[number];
type Kinds = Policy["permissions"];

const body = known({ properties: known({ accessPolicies }) }, ["id", "name", "type", "location"]);

/** What is left of a principal's permissions; undefined if nothing is. */
const operations: Readonly<Record<string, (before: Kinds, sent: Kinds) => Kinds>> = {
  add: (before, sent) => each((kind) => [...new Set([...(before[kind] ?? []), ...(sent[kind] ?? [])])]),
  replace: (_before, sent) => sent,
  remove: (before, sent) =>
    each((kind) => (before[kind] ?? []).filter((word) => !(sent[kind] ?? []).some((one) => keyOf(one) === keyOf(word)))),
};

function each(of: (kind: keyof Kinds) => string[]): Kinds {
  return { keys: of("keys"), secrets: of("secrets"), certificates: of("certificates"), storage: of("storage") };
}

export const accessPolicyEndpoint = ofResource({
  method: "PUT",
  type: "Microsoft.KeyVault/vaults",
  path: "accessPolicies/{operation}",
  versions: vaultVersions,
  right: "accessPolicies/write",
  handle(call, vault, { operation = "" }) {
    const change = operations[operation.toLowerCase()];
    if (change === undefined)
      throw new ApiError(400, "BadRequest", `The operation kind '${operation}' is invalid: use add, replace or remove.`);
    const { properties } = readContent(body, call.request.body, "Microsoft.KeyVault/vaults/accessPolicies");
    checkLocks(call.state, vault.id, "write");
    const before = (vault.properties["accessPolicies"] ?? []) as Policies;
    const isSame = (one: Policy, other: Policy) => ofWhom(one) === ofWhom(other);
    const kept = before.filter((one) => !properties.accessPolicies.some((sent) => isSame(one, sent)));
    const changed = properties.accessPolicies.map((sent) => ({
      ...sent,
      permissions: change(before.find((one) => isSame(one, sent))?.permissions ?? {}, sent.permissions),
    }));
    vault.properties["accessPolicies"] = [
      ...kept,
      ...changed.filter(({ permissions }) => Object.values(permissions).some((held) => (held ?? []).length > 0)),
    ];
    const answered = { id: `${vault.id}/accessPolicies/`, type: "Microsoft.KeyVault/vaults/accessPolicies", location: vault.location };
    const all = { accessPolicies: vault.properties["accessPolicies"] };
    return { status: 200, body: { ...answered, properties: all }, takes: call.sample("keyVault.update") };
  },
});

function ofWhom({ tenantId, objectId, applicationId = "" }: Policy): string {
  return keyOf(`${tenantId} ${objectId} ${applicationId}`);
}

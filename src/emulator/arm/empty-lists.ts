/** Lists of what never exists in the emulator, and so are empty: managed HSMs. */
import type { Answer } from "../core/service.js";
import { versionsOf } from "./api-versions.js";
import { requireRight } from "./authorization-check.js";
import { findScope } from "./scopes.js";
import type { Endpoint } from "./endpoint.js";
import { page } from "./paging.js";
import type { ArmCall } from "./resource-type.js";

const subscription = "/subscriptions/{subscriptionId}";
const group = `${subscription}/resourceGroups/{group}`;
const vaults = versionsOf("Microsoft.KeyVault", { from: "2022-07-01", preview: ["2021-06-01-preview"] });

/** The scope, what it lists, its api-versions, and the right that a list requires. */
const lists: readonly (readonly [scope: string, path: string, versions: readonly string[], action: string])[] = [
  [subscription, "Microsoft.KeyVault/deletedManagedHSMs", vaults, "Microsoft.KeyVault/deletedManagedHsms/read"],
  [subscription, "Microsoft.KeyVault/managedHSMs", vaults, "Microsoft.KeyVault/managedHSMs/read"],
  [group, "Microsoft.KeyVault/managedHSMs", vaults, "Microsoft.KeyVault/managedHSMs/read"],
];

export const emptyListEndpoints: readonly Endpoint[] = lists.map(([scope, path, versions, action]) => ({
  method: "GET",
  path: `${scope}/providers/${path}`,
  versions,
  handle: (call) => list(call, scope.split("/").length - 1, action),
}));

function list(call: ArmCall, segments: number, action: string): Answer {
  const scope = `/${call.request.path.slice(0, segments).join("/")}`;
  findScope(call, scope);
  requireRight(call, action, scope);
  return page(call, []);
}

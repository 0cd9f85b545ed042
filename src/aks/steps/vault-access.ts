/** Lets the secrets provider of an AKS cluster read the vaults of identity sets: its add-on has an identity of its own. */
import type { Vault } from "@azure/arm-keyvault";
import { found } from "../../azure/long-running.js";
import { defineLookup, type Step } from "../../engine/step.js";
import { quotedTitleOf, titleOf } from "../../domain/resource-catalogue.js";
import { idKey, parseResourceId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { acrPull, secretsUser } from "../../domain/roles.js";
import type { ManagedIdentityOutput } from "../../steps/managed-identity.js";
import { useExisting } from "../../steps/ownership-decision.js";
import { usesPolicies } from "../../steps/vault-of-set.js";
import type { ClusterOutput } from "./cluster.js";
import type { AksContext } from "./context.js";
import { roleOnResource } from "../../steps/role-on-resource.js";

const { keyVault: vaultRow, containerRegistry: registryRow } = resourceTypes;

interface Existing {
  readonly id: string;
}

/** Each vault is looked up before the first write, and gets the role as soon as AKS has created the add-on's identity. */
export function vaultAccess(context: AksContext, cluster: Step<ClusterOutput>): Step<unknown>[] {
  return distinct(context.spec.vaultIds).flatMap((id, at) => {
    const { name } = parseResourceId(id);
    const vault = setVault(context, id, at);
    const role = roleOnResource(context, {
      id: `role-secrets-provider-${String(at + 1)}`,
      role: secretsUser,
      holder: {
        name: "the secrets provider",
        step: cluster,
        objectIdIn: ({ secretsProvider }: ClusterOutput) => secretsProvider?.objectId ?? "",
      },
      scope: { title: titleOf(vaultRow, name), step: vault, idIn: (output: Existing) => output.id },
    });
    return [vault, role];
  });
}

/** The nodes pull images as the kubelet's identity. */
export function registryAccess(context: AksContext, kubelet: Step<ManagedIdentityOutput>): Step<unknown>[] {
  return distinct(context.spec.registryIds).flatMap((id, at) => {
    const { name } = parseResourceId(id);
    const registry = existingRegistry(context, id, at);
    const role = roleOnResource(context, {
      id: `role-acr-pull-${String(at + 1)}`,
      role: acrPull,
      holder: { name: "the nodes", step: kubelet, objectIdIn: ({ principalId }: ManagedIdentityOutput) => principalId },
      scope: { title: titleOf(registryRow, name), step: registry, idIn: (output: Existing) => output.id },
    });
    return [registry, role];
  });
}

function setVault({ azure }: AksContext, id: string, at: number): Step<Existing> {
  const { subscriptionId, resourceGroup = "", name } = parseResourceId(id);
  return defineLookup({
    id: `set-${vaultRow.use.step}-${String(at + 1)}`,
    title: titleOf(vaultRow, name),
    subject: { kind: "resource", type: vaultRow.type, existing: true, anywhere: true },
    resourceId: id,
    needs: {},
    read: async () => found((await azure.vaults(subscriptionId)).vaults.get(resourceGroup, name)),
    decide: (live: Vault | undefined) =>
      useExisting(live, { row: vaultRow, what: quotedTitleOf(vaultRow, name), flag: "--key-vault-id" }, usesPolicies),
    output: (live) => ({ id: live.id ?? id }),
  });
}

function existingRegistry({ azure }: AksContext, id: string, at: number): Step<Existing> {
  const { subscriptionId, name } = parseResourceId(id);
  return defineLookup({
    id: `registry-${String(at + 1)}`,
    title: titleOf(registryRow, name),
    subject: { kind: "resource", type: registryRow.type, existing: true, anywhere: true },
    resourceId: id,
    needs: {},
    read: async () => found((await azure.resources(subscriptionId)).resources.getById(id, registryVersion)),
    decide: (live) => useExisting(live, { row: registryRow, what: quotedTitleOf(registryRow, name), flag: "--registry-id" }),
    output: (live) => ({ id: live.id ?? id }),
  });
}

/** API version of Microsoft.ContainerRegistry. */
const registryVersion = "2023-07-01";

function distinct(ids: readonly string[]): string[] {
  return [...new Map(ids.map((id) => [idKey(id), id])).values()];
}

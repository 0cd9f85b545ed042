/** Keys of etcd that a plan creates in vaults which exist without purge protection: no create turns it on by itself. */
import type { Vault } from "@azure/arm-keyvault";
import { titleOf } from "../domain/resource-catalogue.js";
import { parseResourceId, sameType } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import type { Plan } from "../engine/plan.js";
import { resourceOf } from "../engine/step.js";
import { advise, shell, type Advice } from "../errors/advice.js";

const { keyVault, vaultKey } = resourceTypes;

export function unprotectedKeys({ steps }: Plan): Advice[] {
  const keys = steps.filter(({ step, decision }) => sameType(resourceOf(step)?.type ?? "", vaultKey.type) && decision.act === "create");
  return keys.flatMap(({ step }) => {
    const vault = steps.find((one) => one.step.id === step.within);
    const { id, properties } = vaultIn(vault?.live) ?? {};
    if (id === undefined || properties?.enablePurgeProtection === true || vault?.decision.act === "update") return [];
    const { name } = parseResourceId(id);
    const protect = shell`az keyvault update --name ${name} --enable-purge-protection true`;
    return [
      advise`${titleOf(keyVault, name)} has no purge protection: if somebody purges the key, etcd cannot be read any more. To turn it on, which cannot be undone: ${protect}`,
    ];
  });
}

/** The steps for a vault that is created, and for one that is looked up, read it in different forms. */
function vaultIn(live: unknown): Vault | undefined {
  const { vault } = (live ?? {}) as { readonly vault?: Vault };
  return vault ?? (live as Vault | undefined);
}

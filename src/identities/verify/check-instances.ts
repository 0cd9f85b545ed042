/** All check instances of the identity flow. */
import type { Identity } from "@azure/arm-msi";
import type { Azure } from "../../azure/azure.js";
import { oncePerKey } from "../../azure/concurrency.js";
import { all } from "../../azure/pages.js";
import type { CheckInstance } from "../../verify/check-instance.js";
import { accessCheckInstances } from "./access.js";
import type { IdentityChain } from "./chain.js";
import { fileCheckInstances } from "./file.js";
import { managementClusterCheckInstances } from "./management-cluster/check-instances.js";
import { credentialCheckInstances } from "./secret.js";
import { vaultCheckInstances } from "./vault.js";
import { directoryLookup } from "./directory-lookup.js";
import { ownershipCheckInstances } from "./identity-ownership.js";

/** In the order of the report. Create them for each run: they cache what they read. */
export function identityCheckInstances(azure: Azure, chain: IdentityChain): CheckInstance[] {
  const files = fileCheckInstances(chain);
  const vault = vaultCheckInstances(azure, chain, files);
  const lookup = directoryLookup(azure);
  const lists = oncePerKey<readonly Identity[]>();
  const identities = () =>
    lists.get("subscription", async () => all((await azure.identities()).userAssignedIdentities.listBySubscription()));
  const own = ownershipCheckInstances(azure, vault, files, lookup, identities);
  const credentials = own.controlPlane.map((link) => credentialCheckInstances(azure, chain, vault, link));
  const controlPlane = credentials.map(({ link }) => link);
  const access = accessCheckInstances(azure, chain, vault, {
    controlPlane,
    dataPlane: own.dataPlane,
    ownIdentities: own.dataPlane.map(({ clientId }) => clientId),
    lookup,
    identities,
  });
  const cluster = managementClusterCheckInstances(azure, chain, vault, controlPlane);
  return [
    ...files.instances,
    ...vault.instances,
    ...own.instances,
    ...credentials.flatMap(({ instances }) => instances),
    ...access,
    ...cluster,
  ];
}

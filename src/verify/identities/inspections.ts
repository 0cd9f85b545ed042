/** The whole identity flow as inspections: the lists of its parts, joined. */
import type { Identity } from "@azure/arm-msi";
import type { Azure } from "../../azure/azure.js";
import { oncePerKey } from "../../azure/once-per-key.js";
import { all } from "../../azure/pages.js";
import type { Inspection } from "../inspection.js";
import { accessInspections } from "./access.js";
import type { IdentityChain } from "./chain.js";
import { fileInspections } from "./file.js";
import { managementClusterInspections } from "./management-cluster/inspections.js";
import { credentialInspections } from "./secret.js";
import { vaultInspections } from "./vault.js";
import { whoIsWho } from "./who.js";
import { ownInspections } from "./whose.js";

/** In the order they are told. Declared for one run: what is read is read once. */
export function identityInspections(azure: Azure, chain: IdentityChain): Inspection[] {
  const files = fileInspections(chain);
  const vault = vaultInspections(azure, chain, files);
  const who = whoIsWho(azure);
  const lists = oncePerKey<readonly Identity[]>();
  const identities = () =>
    lists.get("subscription", async () => all((await azure.identities()).userAssignedIdentities.listBySubscription()));
  const own = ownInspections(azure, vault, files, who, identities);
  const credentials = own.controlPlane.map((link) => credentialInspections(azure, chain, vault, link));
  const controlPlane = credentials.map(({ link }) => link);
  const access = accessInspections(azure, chain, vault, {
    controlPlane,
    dataPlane: own.dataPlane,
    ownIdentities: own.dataPlane.map(({ clientId }) => clientId),
    who,
    identities,
  });
  const cluster = managementClusterInspections(azure, chain, vault, controlPlane);
  return [
    ...files.inspections,
    ...vault.inspections,
    ...own.inspections,
    ...credentials.flatMap(({ inspections }) => inspections),
    ...access,
    ...cluster,
  ];
}

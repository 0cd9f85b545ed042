/** The whole identity flow as inspections: the lists of its parts, joined. */
import type { Azure } from "../../azure/azure.js";
import type { Inspection } from "../inspection.js";
import { accessInspections } from "./access.js";
import type { IdentityChain } from "./chain.js";
import { fileInspections } from "./file.js";
import { managementClusterInspections } from "./management-cluster/inspections.js";
import { credentialInspections } from "./secret.js";
import { vaultInspections } from "./vault.js";

/** In the order they are told. Declared for one run: what is read is read once. */
export function identityInspections(azure: Azure, chain: IdentityChain): Inspection[] {
  const files = fileInspections(chain);
  const vault = vaultInspections(azure, chain, files);
  const credentials = files.controlPlane.map((link) => credentialInspections(azure, chain, vault, link));
  const controlPlane = credentials.map(({ link }) => link);
  const access = accessInspections(azure, chain, vault, { controlPlane, dataPlane: files.dataPlane });
  const cluster = managementClusterInspections(azure, chain, vault, controlPlane);
  return [...files.inspections, ...vault.inspections, ...credentials.flatMap(({ inspections }) => inspections), ...access, ...cluster];
}

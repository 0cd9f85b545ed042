/** What to do after the create of an AKS cluster. The commands work as printed; only secrets and versions are left open. */
import { advise, aroHcp, type Advice } from "../errors/advice.js";
import type { ClusterKind } from "../domain/cluster-kind.js";

export function afterCreateCluster(
  kind: ClusterKind,
  { name, resourceGroupName }: { name: string; resourceGroupName?: string | undefined },
): Advice[] {
  const settings = { name, resourceGroupName };
  return [advise`check it: ${aroHcp(`verify ${kind}`, settings)}`, advise`destroy it: ${aroHcp(`destroy ${kind}`, settings)}`];
}

/** The checks in an AKS cluster, through its API server: nodes, driver, types, and the controllers and gateways of its kind. */
import { notChecked, type Check } from "../../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../../verify/check-instance.js";
import type { ResourceLinks } from "../../../verify/planned-resources.js";
import { inClusterChecks } from "../checks.js";
import type { AddOnIdentity } from "../cluster.js";
import type { AksSnapshot } from "../snapshot.js";
import { driverChecks, nodeChecks } from "./nodes.js";
import { gatewayChecks } from "./gateways.js";
import { operatorChecks, definitionCheck } from "./operator.js";
import { sharedIngressCheck } from "./shared-ingress.js";

const ofKind = {
  "management-cluster": ["operator-environment", "operator-ready", "shared-ingress"],
  "service-cluster": ["gateway-ready", "gateway-address"],
} as const;

export function inClusterCheckInstances(
  snapshot: AksSnapshot,
  cluster: ResourceLinks,
  addOn: CheckInstance<AddOnIdentity>,
): CheckInstance[] {
  const { kubernetes, spec } = snapshot;
  const { kind } = spec.cluster;
  if (kubernetes === undefined) return skipped(snapshot, cluster.subject);
  const nodes = nodeChecks(kubernetes, cluster);
  const definitions = definitionCheck(kubernetes, kind, cluster.subject, nodes.reached);
  return [
    ...nodes.instances,
    ...driverChecks(snapshot, kubernetes, cluster.subject, nodes.reached),
    definitions,
    ...(kind === "management-cluster"
      ? [
          ...operatorChecks(kubernetes, cluster.subject, { reached: nodes.reached, addOn }),
          sharedIngressCheck(snapshot, kubernetes, cluster.subject, nodes.reached),
        ]
      : gatewayChecks(snapshot, kubernetes, cluster.subject, nodes.reached)),
  ];
}

/** Each check once: many skipped lines would hide the others. */
function skipped({ spec }: AksSnapshot, subject: string): CheckInstance[] {
  const others: readonly string[] = ofKind[spec.cluster.kind === "management-cluster" ? "service-cluster" : "management-cluster"];
  const checks: readonly Check[] = Object.values(inClusterChecks).filter(({ id }) => !others.includes(id));
  return checks.map((check) => checkInstance(check, subject, {}, () => notChecked("--kubeconfig is not specified")));
}

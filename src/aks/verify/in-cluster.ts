/** The checks in an AKS cluster, through its API server. */
import { notChecked, type Check, failed, passed } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import type { ResourceLinks } from "../../verify/planned-resources.js";
import { inClusterChecks, aksChecks } from "./checks.js";
import type { AddOnIdentity } from "./cluster.js";
import type { AksSnapshot } from "./snapshot.js";
import { driverChecks, nodeChecks } from "./nodes.js";
import { gatewayChecks } from "./gateways.js";
import { sharedIngressCheck } from "./shared-ingress.js";
import type { V1Node } from "@kubernetes/client-node";
import { advise, aroHcp, blank, shell } from "../../errors/advice.js";
import { kindFacts, type ClusterKind } from "../../domain/cluster-kind.js";
import type { Kubernetes } from "../../kubernetes/kubernetes.js";
import { plural } from "../../text/plural.js";
import { checkEnvironment, operator } from "../../verify/hypershift-operator.js";

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
  const others: readonly string[] = ofKind[kindFacts[spec.cluster.kind].other];
  const checks: readonly Check[] = Object.values(inClusterChecks).filter(({ id }) => !others.includes(id));
  return checks.map((check) => checkInstance(check, subject, {}, () => notChecked("--kubeconfig is not specified")));
}

const secretsStoreTypes = ["secretproviderclasses.secrets-store.csi.x-k8s.io"];
/** The types that AKS, `hypershift install`, and the commands before it create. */
const neededTypes: Readonly<Record<ClusterKind, readonly string[]>> = {
  "management-cluster": [
    ...secretsStoreTypes,
    ...["hostedclusters", "nodepools", "hostedcontrolplanes"].map((type) => `${type}.hypershift.openshift.io`),
    ...["servicemonitors", "podmonitors", "prometheusrules"].map((type) => `${type}.monitoring.coreos.com`),
    "routes.route.openshift.io",
  ],
  "service-cluster": [
    ...secretsStoreTypes,
    ...["gateways", "virtualservices"].map((type) => `${type}.networking.istio.io`),
    ...["gateways", "httproutes"].map((type) => `${type}.gateway.networking.k8s.io`),
  ],
};

function definitionCheck(
  kubernetes: Kubernetes,
  kind: ClusterKind,
  subject: string,
  reached: CheckInstance<readonly V1Node[]>,
): CheckInstance<undefined> {
  return checkInstance(aksChecks["resource-definitions"], subject, { reached }, async () => {
    const served = await kubernetes.resourceDefinitions();
    const missing = neededTypes[kind].filter((name) => !served.includes(name));
    if (missing.length === 0) return passed(plural(neededTypes[kind].length, "type"));
    const evidence = `the API server has no ${missing.join(", ")}`;
    if (missing.every((name) => secretsStoreTypes.includes(name)))
      return failed(evidence, "they come with the add-on azureKeyvaultSecretsProvider: wait until AKS has installed it, and verify again");
    if (kind === "management-cluster") return failed(evidence, advise`install HyperShift's operator, with what it needs: ${install}`);
    return failed(
      evidence,
      "AKS installs them with its Istio add-on and Gateway API: wait until the update of the AKS cluster ends, and verify again",
    );
  });
}

const install = aroHcp("render hypershift-install", { managementClusterFile: blank("management-cluster.json") });

interface OperatorNeeds {
  readonly reached: CheckInstance<readonly V1Node[]>;
  readonly addOn: CheckInstance<AddOnIdentity>;
}

function operatorChecks(kubernetes: Kubernetes, subject: string, { reached, addOn }: OperatorNeeds): CheckInstance[] {
  const environment = checkInstance(aksChecks["operator-environment"], subject, { reached, addOn }, async ({ addOn: { clientId } }) =>
    checkEnvironment(await kubernetes.deployment(operator.namespace, operator.name), clientId, kubernetes.kubeconfig),
  );
  const ready = checkInstance(aksChecks["operator-ready"], subject, { environment }, async () => {
    const deployment = await kubernetes.deployment(operator.namespace, operator.name);
    const { availableReplicas = 0, replicas = 0 } = deployment?.status ?? {};
    if (deployment === undefined) return notChecked("it was deleted in the meantime");
    if (availableReplicas > 0) return passed(`${plural(availableReplicas, "available pod")} of ${String(replicas)}`);
    const flags = ["--namespace", operator.namespace];
    return failed(
      "no pod of it is available",
      advise`${shell`kubectl --kubeconfig ${kubernetes.kubeconfig} describe deployment ${operator.name} ${flags}`} shows why`,
    );
  });
  return [environment, ready];
}

/** Checks in a connected cluster: the agents' Helm release, pods and secrets, and kube-aad-proxy. */
import type { CoreV1Event, V1Pod } from "@kubernetes/client-node";
import type { ConnectedCluster } from "../domain/connected-cluster.js";
import { contradicts, platformOf } from "../domain/distribution.js";
import { securityContextBinding } from "../domain/cluster-objects.js";
import { agents, isSamePlace } from "../domain/names.js";
import { advise, aroHcp, shell, type Advice } from "../../errors/advice.js";
import { failed, notChecked, passed, type Finding } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import { isReady } from "../../verify/ready.js";
import { arcChecks, arcInClusterChecks } from "./checks.js";
import { checkMountedSecrets } from "./mounted-secrets.js";
import { createArc, placeSettings, type ArcSnapshot, type InCluster } from "./snapshot.js";

const { namespace, proxyDeployment, proxySecret, identitySecret } = agents;
const noAccess = "--kubeconfig, --openshift-cluster-id and --hosted-cluster are not specified";

export function inClusterChecks(snapshot: ArcSnapshot, exists: CheckInstance<ConnectedCluster>): CheckInstance[] {
  const { inside } = snapshot;
  if (inside === undefined)
    return Object.values(arcInClusterChecks).map((check) => checkInstance(check, snapshot.subject, {}, () => notChecked(noAccess)));
  const subject = inside.access.server;
  const coordinates = checkInstance(arcChecks["agents-coordinates"], subject, { exists }, () => checkCoordinates(snapshot, inside));
  const permission = checkInstance(arcChecks["proxy-permission"], subject, { coordinates }, () => checkPermission(snapshot, inside));
  return [
    coordinates,
    checkInstance(arcChecks["arc-distribution"], subject, { exists, coordinates }, ({ exists: { properties } }) =>
      checkPlatform(snapshot, inside, properties),
    ),
    checkInstance(arcChecks["agents-release"], subject, { coordinates }, () => checkRelease(snapshot, inside)),
    checkInstance(arcChecks["agents-ready"], subject, { coordinates }, () => checkPods(inside)),
    checkInstance(arcChecks["agents-secrets"], subject, { coordinates }, () => checkSecrets(snapshot, inside)),
    permission,
    checkInstance(arcChecks["proxy-ready"], subject, { permission }, () => checkProxy(inside)),
    ...snapshot.vaults.map((vault) =>
      checkInstance(arcChecks["arc-secret-mounted"], `Key Vault ${vault.name}`, { coordinates }, () =>
        checkMountedSecrets(snapshot, inside, vault),
      ),
    ),
  ];
}

async function checkCoordinates(snapshot: ArcSnapshot, { access }: InCluster): Promise<Finding<undefined>> {
  const as = await access.connectedAs();
  if (as === undefined)
    return failed(
      `there is no ConfigMap ${agents.configMap} in ${namespace}: the agents are not installed`,
      advise`${createArc(snapshot)} with access to the cluster installs them`,
    );
  const { subscriptionId, groupName, name } = as;
  const found = `${name} in resource group "${groupName}" of subscription ${subscriptionId}`;
  if (isSamePlace(as, snapshot.place)) return passed(found);
  return failed(
    `the agents belong to ${found}`,
    // No command with these names: whoever may write to the cluster would choose what the reader destroys.
    "pass the kubeconfig of the right cluster; or, if that place is yours too, disconnect the agents there with destroy arc",
  );
}

async function checkPlatform(
  snapshot: ArcSnapshot,
  { kubernetes }: InCluster,
  live: ConnectedCluster["properties"],
): Promise<Finding<undefined>> {
  const nodes = await kubernetes.nodes();
  if (nodes.length === 0) return notChecked("the cluster has no nodes");
  const { distribution, infrastructure } = platformOf(nodes);
  const wrong = {
    ...(contradicts(live.distribution, distribution) && { distribution }),
    ...(contradicts(live.infrastructure, infrastructure) && { infrastructure }),
  };
  const found = `${live.distribution ?? "no distribution"} on ${live.infrastructure ?? "no infrastructure"}`;
  if (Object.keys(wrong).length === 0) return passed(found);
  return failed(
    `Azure has ${found}; the nodes show ${distribution} on ${infrastructure}`,
    aroHcp("create arc", { ...placeSettings(snapshot), ...wrong }),
  );
}

async function checkRelease(snapshot: ArcSnapshot, { access }: InCluster): Promise<Finding<undefined>> {
  if (!access.hasHelm) return notChecked("helm is not installed on this machine");
  const release = await access.release();
  if (release?.status === "deployed") return passed(release.chart);
  const found = release === undefined ? "helm knows no release of them" : `the release ${release.chart} is ${release.status}`;
  return failed(found, advise`${createArc(snapshot)} with access to the cluster installs them again`);
}

/** Leaves out the pods of kube-aad-proxy, which have a check of their own. */
async function checkPods({ kubernetes }: InCluster): Promise<Finding<undefined>> {
  const pods = (await kubernetes.pods(namespace)).filter((pod) => !isOfProxy(pod) && pod.status?.phase !== "Succeeded");
  const broken = pods.filter((pod) => !isReady(pod));
  if (pods.length > 0 && broken.length === 0) return passed(pods.map(nameOf).join(", "));
  return failed(
    pods.length === 0 ? `there are none in ${namespace}` : broken.map((pod) => `${nameOf(pod)} is ${reasonOf(pod)}`).join(", "),
    advise`see why: ${shell`oc get pods,events -n ${namespace}`}`,
  );
}

async function checkSecrets(snapshot: ArcSnapshot, { access }: InCluster): Promise<Finding<undefined>> {
  const names = [identitySecret, proxySecret];
  const exist = await Promise.all(names.map((name) => access.hasSecret(name)));
  const missing = names.filter((_, index) => exist[index] !== true);
  if (missing.length === 0) return passed(names.join(", "));
  return failed(
    `${missing.join(", ")} missing in ${namespace}`,
    advise`clusteridentityoperator gets it with the onboarding key; see why it does not: ${shell`oc logs -n ${namespace} deployment/clusteridentityoperator --all-containers`}; if it has another key, install the agents with the files of ${createArc(snapshot)}`,
  );
}

/** The binding of create arc, or another grant: then the deployment runs. */
async function checkPermission(snapshot: ArcSnapshot, { access, kubernetes }: InCluster): Promise<Finding<undefined>> {
  const { name } = securityContextBinding.metadata;
  if (await access.has(securityContextBinding)) return passed(`ClusterRoleBinding ${name}`);
  const pods = (await kubernetes.pods(namespace)).filter(isOfProxy);
  if (pods.some(isReady)) return passed("another grant admits its pods");
  return failed(
    `there is no ClusterRoleBinding ${name}, and no ready pod of ${proxyDeployment}`,
    advise`${createArc(snapshot)} with access to the cluster creates it; or ${grant()}, then ${restart()}`,
  );
}

/** On OpenShift, a pod without the permission is not admitted, or waits for a certificate that is never mounted. */
async function checkProxy({ kubernetes }: InCluster): Promise<Finding<undefined>> {
  const [deployment, all] = await Promise.all([kubernetes.deployment(namespace, proxyDeployment), kubernetes.pods(namespace)]);
  const pods = all.filter(isOfProxy);
  if (deployment === undefined)
    return failed(`there is no deployment ${proxyDeployment} in ${namespace}`, "install the agents again with the files of create arc");
  const ready = pods.find(isReady);
  if (ready !== undefined) return passed(nameOf(ready));
  const [pod] = pods;
  if (pod === undefined)
    return failed(
      "no pod of it is admitted: it started before the permission existed, or the permission is not the privileged one",
      advise`${restart()}, then see ${shell`oc get events -n ${namespace}`}`,
    );
  const events = (await kubernetes.failedMounts(namespace)).filter((event) => isAbout(event, pod));
  const unmounted = events.map(({ message = "" }) => message.trim()).find((message) => message !== "");
  const isStuck = reasonOf(pod) === "ContainerCreating";
  return failed(
    [`${nameOf(pod)} is ${reasonOf(pod)}`, unmounted].filter(Boolean).join(": "),
    isStuck
      ? advise`on OpenShift, a pod that started before its permission or its certificate secret ${proxySecret} existed stays there: ${shell`oc delete pod ${nameOf(pod)} -n ${namespace}`}`
      : advise`see its log: ${shell`oc logs -n ${namespace} ${nameOf(pod)} --all-containers`}`,
  );
}

function grant(): Advice {
  return shell`oc adm policy add-scc-to-user privileged ${`system:serviceaccount:${namespace}:${agents.proxyServiceAccount}`}`;
}

function restart(): Advice {
  return shell`oc rollout restart deployment/${proxyDeployment} -n ${namespace}`;
}

function isOfProxy(pod: V1Pod): boolean {
  return nameOf(pod).startsWith(`${proxyDeployment}-`);
}

function isAbout({ involvedObject }: CoreV1Event, pod: V1Pod): boolean {
  return involvedObject.name === nameOf(pod);
}

function nameOf({ metadata }: V1Pod): string {
  return metadata?.name ?? "";
}

/** The reason as `oc get pods` shows it. */
function reasonOf({ status }: V1Pod): string {
  const waiting = status?.containerStatuses?.map(({ state }) => state?.waiting?.reason).find((reason) => reason !== undefined);
  return waiting ?? status?.reason ?? status?.phase ?? "unknown";
}

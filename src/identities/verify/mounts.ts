/** Rows of the mounts in pods: the newest version of the secret is mounted, and no pod waits for a mount. */
import { advise, shell, type Advice } from "../../errors/advice.js";
import type { CoreV1Event, V1Pod } from "@kubernetes/client-node";
import type { PodMount } from "../../kubernetes/kubernetes.js";
import { failed, passed, notChecked, type Finding } from "../../verify/check.js";
import { unlessFailed } from "../../verify/check-instance.js";
import type { StoredSecret } from "./chain.js";
import { controlPlaneRow } from "./reads.js";
import { secretExists, secretRead } from "./secret.js";
import { controlPlane, providerClass } from "./secret-provider-classes.js";
import { addOn, addOnNodes, addOnRole, type AddOn } from "./vault-addon.js";
import { rfc3339 } from "../../text/rfc3339.js";

/** What a pod needs to get a secret. */
const mounting = { addOn, role: addOnRole, nodes: addOnNodes, providerClass };

const noPod = notChecked("no pod mounts it yet");

export const secretMounted = controlPlaneRow(
  "secret-mounted",
  { ...mounting, secret: secretRead, place: controlPlane },
  async ({ addOn: { pollMs }, providerClass: { name }, secret, place: { kubernetes, namespace } }, { chain, once }) => {
    const all = (await once("mounts", () => kubernetes.podMounts(namespace))) ?? [];
    const mounts = all.filter((mount) => mount.secretProviderClass === name);
    const advice = adviceFor(kubernetes.kubeconfig, namespace);
    return mounts.length === 0 ? noPod : checkMounts(mounts, secret, { pollMs, now: chain.now(), advice });
  },
);

/** Another check reports a missing secret. A secret that this machine cannot read says nothing about the pods. */
export const podsStart = controlPlaneRow(
  "pods-start",
  { ...mounting, secret: unlessFailed(secretExists, secretRead), place: controlPlane },
  async ({ providerClass: { name }, place: { kubernetes, namespace } }, { once }) => {
    const pods = (await once("pods", () => kubernetes.pods(namespace))).filter((pod) => volumeOf(pod, name) !== undefined);
    if (pods.length === 0) return noPod;
    const events = await once("events", () => kubernetes.failedMounts(namespace));
    return checkPods(pods, name, events, adviceFor(kubernetes.kubeconfig, namespace));
  },
);

interface MountAdvice {
  readonly driverLog: Advice;
  recreate(pods: readonly string[]): Advice;
}

function adviceFor(kubeconfig: string, namespace: string): MountAdvice {
  return {
    driverLog: advise`${shell`kubectl --kubeconfig ${kubeconfig} logs --namespace kube-system --selector app=secrets-store-provider-azure --tail 50`} shows the log of the add-on`,
    recreate: (pods) =>
      advise`${shell`kubectl --kubeconfig ${kubeconfig} delete pod --namespace ${namespace} ${pods}`}: the new pods mount the secret again`,
  };
}

interface Watched {
  readonly pollMs: AddOn["pollMs"];
  readonly now: Date;
  readonly advice: MountAdvice;
}

function checkMounts(
  mounts: readonly PodMount[],
  { name, version, createdOn }: StoredSecret,
  { pollMs, now, advice }: Watched,
): Finding<unknown> {
  const next = (pods: readonly PodMount[]) => advise`${advice.driverLog}; ${advice.recreate(pods.map(({ pod }) => pod))}`;
  const absent = mounts.filter(({ mounted }) => !mounted);
  if (absent.length > 0) return failed(`${podsIn(absent)}: the driver reports that the secret is not mounted`, next(absent));
  const versionIn = ({ objects }: PodMount) => objects.find(({ id }) => id === `secret/${name}`)?.version;
  const stale = mounts.filter((mount) => versionIn(mount) !== version);
  if (stale.length === 0) return passed(`${podsIn(mounts)}: version ${version}`);
  const ageMs = now.getTime() - (createdOn?.getTime() ?? 0);
  if (pollMs !== undefined && ageMs < pollMs) {
    return notChecked(`the newest version is ${minutes(ageMs)} old, and the add-on polls every ${minutes(pollMs)}; verify again later`);
  }
  return failed(
    `${stale.map((mount) => `${mount.pod} has version ${versionIn(mount) ?? "none"}`).join(", ")}; the newest in the vault is ${version}, created on ${createdOn ? rfc3339(createdOn) : "an unknown date"}`,
    next(stale),
  );
}

function minutes(ms: number): string {
  return `${String(Math.floor(ms / 60_000))} min`;
}

function podsIn(mounts: readonly PodMount[]): string {
  return mounts.map(({ pod }) => pod).join(", ");
}

/** The name of the pod's volume that mounts the class. */
function volumeOf({ spec }: V1Pod, className: string): string | undefined {
  return spec?.volumes?.find(({ csi }) => csi?.volumeAttributes?.["secretProviderClass"] === className)?.name;
}

function checkPods(pods: readonly V1Pod[], className: string, events: readonly CoreV1Event[], advice: MountAdvice): Finding<unknown> {
  const stuck = pods.filter(isWaiting).flatMap((pod) => {
    const event = lastOf(events.filter((one) => isAbout(one, pod, className)));
    return event === undefined ? [] : [{ name: pod.metadata?.name ?? "", message: shortened(event.message ?? "") }];
  });
  if (stuck.length === 0) return passed(`${pods.map(({ metadata }) => metadata?.name ?? "").join(", ")}: no pod waits for the mount`);
  return failed(
    stuck.map(({ name, message }) => `${name} waits in ContainerCreating, FailedMount: ${message}`).join("; "),
    advise`${advice.driverLog}; once that is fixed, ${advice.recreate(stuck.map(({ name }) => name))}`,
  );
}

function isWaiting({ status }: V1Pod): boolean {
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return (
    status?.phase === "Pending" &&
    containers.some(({ state }) => /^(?:ContainerCreating|PodInitializing)$/.test(state?.waiting?.reason ?? ""))
  );
}

/** An event that names another volume of the pod is about that volume. An event that names none may be about any. */
function isAbout({ involvedObject, message = "" }: CoreV1Event, pod: V1Pod, className: string): boolean {
  const { name, uid } = pod.metadata ?? {};
  if (involvedObject.name !== name || (involvedObject.uid !== undefined && involvedObject.uid !== uid)) return false;
  const named = (pod.spec?.volumes ?? []).filter((volume) => message.includes(volume.name)).map((volume) => volume.name);
  return named.length === 0 || named.includes(volumeOf(pod, className) ?? "");
}

function lastOf(events: readonly CoreV1Event[]): CoreV1Event | undefined {
  const at = ({ lastTimestamp, eventTime }: CoreV1Event) => new Date(lastTimestamp ?? eventTime ?? 0).getTime();
  return events.toSorted((a, b) => at(b) - at(a))[0];
}

const longest = 400;

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > longest ? `${line.slice(0, longest)}...` : line;
}

/** Checks the mounts in pods: the newest version of the secret is mounted, and no pod waits for a mount. */
import { advise, shell, type Advice } from "../../../errors/advice.js";
import type { CoreV1Event, V1Pod } from "@kubernetes/client-node";
import type { LiveSecretProviderClass, PodMount } from "../../../kubernetes/kubernetes.js";
import { failed, passed, notChecked, notCheckedFor, type Finding } from "../../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../../verify/check-instance.js";
import type { CredentialLink, IdentityChain, StoredSecret } from "../chain.js";
import { identityChecks } from "../checks.js";
import type { ControlPlane } from "./control-plane.js";
import type { AddOn, AddOnLinks } from "./vault-addon.js";

interface MountNeeds {
  readonly addOn: AddOnLinks;
  readonly providerClass: CheckInstance<LiveSecretProviderClass>;
}

/** If `controlPlane` is undefined, the check of the component's class gives the reason, and these checks are skipped. */
export function mountCheckInstances(
  { now, managementCluster }: IdentityChain,
  { component: { key: subject }, stored }: CredentialLink,
  controlPlane: ControlPlane | undefined,
  { addOn: { addOn, usable }, providerClass }: MountNeeds,
): CheckInstance[] {
  const advice = adviceFor(managementCluster?.kubernetes.kubeconfig ?? "", controlPlane?.namespace ?? "");
  const noPod = () => notChecked("no pod mounts it yet");
  const mounted = checkInstance(
    identityChecks["secret-mounted"],
    subject,
    { addOn, ...usable, providerClass, secret: stored.read },
    async ({ addOn: { pollMs }, providerClass: { name }, secret }) => {
      const mounts = ((await controlPlane?.mounts()) ?? []).filter((mount) => mount.secretProviderClass === name);
      return mounts.length === 0 ? noPod() : checkMounts(mounts, secret, { pollMs, now: now(), advice });
    },
  );
  const starts = checkInstance(
    identityChecks["pods-start"],
    subject,
    { addOn, ...usable, providerClass },
    async ({ providerClass: { name } }, results) => {
      // Another check reports a missing secret. A secret that this machine cannot read says nothing about the pods.
      const missing = [results.exists.result, results.read.result].find(({ state }) => state === "failed");
      if (missing !== undefined) return notCheckedFor(missing);
      const pods = ((await controlPlane?.pods()) ?? []).filter((pod) => volumeOf(pod, name) !== undefined);
      return pods.length === 0 ? noPod() : checkPods(pods, name, (await controlPlane?.failedMounts()) ?? [], advice);
    },
    stored,
  );
  return [mounted, starts];
}

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
    `${stale.map((mount) => `${mount.pod} has version ${versionIn(mount) ?? "none"}`).join(", ")}; the newest in the vault is ${version}, created on ${createdOn?.toISOString() ?? "an unknown date"}`,
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

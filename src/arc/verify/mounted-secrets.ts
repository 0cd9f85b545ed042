/** Checks that the pods have mounted the newest version of the secrets of create arc secrets. */
import type { SecretProperties } from "@azure/keyvault-secrets";
import type { CoreV1Event, V1Pod } from "@kubernetes/client-node";
import { azureCodeOf } from "../../azure/azure-error.js";
import { all } from "../../azure/pages.js";
import { signedIn } from "../../azure/signed-in.js";
import { extensionType, isKeyVaultProvider } from "../domain/extension-types.js";
import { keyVaultRotation } from "../domain/extension.js";
import { advise, aroHcp, shell, type Advice } from "../../errors/advice.js";
import type { LiveSecretProviderClass, PodMount } from "../../kubernetes/kubernetes.js";
import { vaultReader } from "../../domain/roles.js";
import { sameText } from "../../text/same-text.js";
import { failed, notChecked, passed, type Finding } from "../../verify/check.js";
import { rotationPollMs } from "../../verify/rotation-poll.js";
import { placeSettings, type ArcSnapshot, type InCluster } from "./snapshot.js";
import type { WorkloadVault } from "./workload-vaults.js";

/** A version never changes its value, so the driver's status of a pod shows which value it has, without a read of the value. */
export async function checkMountedSecrets(
  snapshot: ArcSnapshot,
  { kubernetes }: InCluster,
  vault: WorkloadVault,
): Promise<Finding<undefined>> {
  const listed = await kubernetes.secretProviderClasses();
  if (listed === undefined)
    return notChecked(advise`the cluster has no Secrets Store CSI driver: ${keyVaultProvider(snapshot)} installs it`);
  const classes = listed.filter((one) => isOf(vault, one));
  if (classes.length === 0)
    return notChecked(advise`no SecretProviderClass of the cluster names it: apply the manifests that ${aroHcp("render arc")} writes`);
  const namespaces = [...new Set(classes.map(({ namespace }) => namespace))];
  const [pods, mounted] = await Promise.all([inEach(namespaces, (one) => kubernetes.pods(one)), kubernetes.podMounts()]);
  const mounts = (mounted ?? []).filter((mount) => mount.mounted && classes.some((one) => isMountOf(one, mount)));
  const waiting = pods.filter((pod) => uses(pod, classes) && !mounts.some((mount) => isOfPod(mount, pod)));
  if (waiting.length > 0) return unmounted(waiting, await inEach(namespaces, (one) => kubernetes.failedMounts(one)));
  if (mounts.length === 0)
    return notChecked(
      advise`no pod mounts it: apply the pod that ${aroHcp("render arc")} writes; if it does not start, see ${shell`oc get events -n ${namespaces[0] ?? ""}`}`,
    );
  try {
    return compare(snapshot, mounts, await newestVersions(snapshot, vault, mounts));
  } catch (error) {
    const code = azureCodeOf(error);
    if (code !== "ForbiddenByRbac") throw error;
    const { objectId, principalType } = await signedIn(snapshot.azure.connection);
    return notChecked(
      advise`${code}: the versions in the vault cannot be listed: ${shell`az role assignment create --role ${vaultReader.name} --assignee-object-id ${objectId} --assignee-principal-type ${principalType} --scope ${vault.id}`}; it takes effect after a few minutes`,
    );
  }
}

function keyVaultProvider(snapshot: ArcSnapshot, settings: { readonly secretRotation?: "on" } = {}) {
  return aroHcp("create arc extension", { ...placeSettings(snapshot), extensionType: "key-vault", ...settings });
}

/** One that pins a version is older than the vault on purpose. */
function isOf({ name }: WorkloadVault, { provider, parameters: { keyvaultName, objects = "" } }: LiveSecretProviderClass): boolean {
  return provider === "azure" && sameText(keyvaultName, name) && !/objectVersion: *["']?\w/.test(objects);
}

function isMountOf({ name, namespace }: LiveSecretProviderClass, mount: PodMount): boolean {
  return mount.namespace === namespace && mount.secretProviderClass === name;
}

function isOfPod(mount: PodMount, { metadata }: V1Pod): boolean {
  return mount.namespace === metadata?.namespace && mount.pod === metadata.name;
}

async function inEach<T>(namespaces: readonly string[], list: (namespace: string) => Promise<readonly T[]>): Promise<T[]> {
  return (await Promise.all(namespaces.map(list))).flat();
}

/** A pod that has ended has no mounts. */
function uses({ metadata, spec, status }: V1Pod, classes: readonly LiveSecretProviderClass[]): boolean {
  const names = (spec?.volumes ?? []).map(({ csi }) => csi?.volumeAttributes?.["secretProviderClass"]);
  const isOver = status?.phase === "Succeeded" || status?.phase === "Failed";
  return !isOver && classes.some(({ name, namespace }) => namespace === metadata?.namespace && names.includes(name));
}

function unmounted(pods: readonly V1Pod[], events: readonly CoreV1Event[]): Finding<undefined> {
  const reasons = pods.map(({ metadata: { namespace = "", name = "" } = {} }) => {
    const about = events.findLast(({ involvedObject: one }) => one.namespace === namespace && one.name === name);
    return `${namespace}/${name} has not mounted it${about?.message === undefined ? "" : `: ${about.message.trim()}`}`;
  });
  return failed(reasons.join("; "), advise`see why: ${shell`oc get pods,events -n ${pods[0]?.metadata?.namespace ?? ""}`}`);
}

const secretId = /^secret\/([0-9a-zA-Z-]+)$/;

/** The versions of the newest second, because a vault keeps whole seconds, by name in lower case. Reads metadata alone. */
async function newestVersions(
  { azure }: ArcSnapshot,
  { name: vaultName }: WorkloadVault,
  mounts: readonly PodMount[],
): Promise<ReadonlyMap<string, readonly SecretProperties[]>> {
  const { secrets } = await azure.vaultContent(vaultName);
  const wanted = new Set(mounts.flatMap(({ objects }) => objects.flatMap(({ id }) => secretId.exec(id)?.[1]?.toLowerCase() ?? [])));
  const names = (await all(secrets.listPropertiesOfSecrets())).map(({ name }) => name).filter((name) => wanted.has(name.toLowerCase()));
  const createdMs = ({ createdOn }: SecretProperties) => createdOn?.getTime() ?? 0;
  const newest = names.map(async (name) => {
    const versions = await all(secrets.listPropertiesOfSecretVersions(name));
    const last = versions.map(createdMs).reduce((a, b) => Math.max(a, b), 0);
    return [name.toLowerCase(), versions.filter((one) => createdMs(one) === last)] as const;
  });
  return new Map(await Promise.all(newest));
}

function compare(
  snapshot: ArcSnapshot,
  mounts: readonly PodMount[],
  newest: ReadonlyMap<string, readonly SecretProperties[]>,
): Finding<undefined> {
  const compared = mounts.flatMap(({ namespace, pod, objects }) =>
    objects.flatMap(({ id, version }) => {
      const name = secretId.exec(id)?.[1];
      const versions = newest.get(name?.toLowerCase() ?? "") ?? [];
      return name === undefined ? [] : [{ namespace, pod: `${namespace}/${pod}`, name, version, versions }];
    }),
  );
  if (compared.length === 0) return notChecked("the pods mount keys and certificates of it, but no secret");
  const stale = compared.filter(({ version, versions }) => !versions.some((one) => one.version === version));
  if (stale.length === 0)
    return passed(compared.map(({ pod, name, version }) => `${pod} has secret ${name}, version ${version}`).join("; "));
  const pollMs = rotationOf(snapshot);
  // A status can list more than a call takes arguments.
  const createdMs = stale.map(({ versions: [one] }) => one?.createdOn?.getTime() ?? 0).reduce((a, b) => Math.min(a, b), Infinity);
  const ageMs = snapshot.azure.connection.clock.now().getTime() - createdMs;
  if (pollMs !== undefined && ageMs < pollMs)
    return notChecked(`a newer version is ${seconds(ageMs)} old, and the provider polls every ${seconds(pollMs)}; verify again later`);
  return failed(
    stale
      .map(({ pod, name, version, versions: [one] }) => {
        const inVault = one === undefined ? "it is not in the vault" : `the newest in the vault is ${one.version ?? "unknown"}`;
        return `${pod} has version ${version} of secret ${name}; ${inVault}`;
      })
      .join("; "),
    staleAdvice(snapshot, pollMs, stale[0]?.namespace ?? ""),
  );
}

/** Undefined if rotation is off, or the extension is not there. */
function rotationOf({ extensions }: ArcSnapshot): number | undefined {
  const provider = extensions.find(({ extensionType: type = "" }) => isKeyVaultProvider(extensionType(type)));
  const { rotation, interval } = keyVaultRotation(provider?.configurationSettings ?? {});
  return rotationPollMs(rotation, interval);
}

function staleAdvice(snapshot: ArcSnapshot, pollMs: number | undefined, namespace: string): Advice {
  const recreate = "recreate these pods: new ones mount the newest version";
  return pollMs === undefined
    ? advise`${recreate}; rotation is off: ${keyVaultProvider(snapshot, { secretRotation: "on" })}`
    : advise`${recreate}; see why the provider has not updated them: ${shell`oc get events -n ${namespace}`}`;
}

function seconds(ms: number): string {
  return `${String(Math.floor(ms / 1000))} s`;
}

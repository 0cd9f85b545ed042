/** Checks of the AKS cluster's own properties, each before the general comparison with what its create sets. */
import type { ManagedCluster } from "@azure/arm-containerservice";
import { advise, shell } from "../../errors/advice.js";
import { compareVersions } from "../../domain/kubernetes-versions.js";
import { sameText } from "../../text/same-text.js";
import { failed, notChecked, passed, type Finding } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import type { ResourceLinks } from "../../verify/planned-resources.js";
import { documentsServed } from "../../verify/served-documents.js";
import { aksChecks } from "./checks.js";
import { aksFlags, clusterIn, wantedIn, type AksSnapshot } from "./snapshot.js";

/** The identity of the add-on that mounts secrets. */
export interface AddOnIdentity {
  readonly clientId: string;
  readonly objectId: string;
}

export interface ClusterChecks {
  /** Checks of properties: without them, the general comparison runs. */
  readonly own: Readonly<Record<string, CheckInstance>>;
  readonly beside: readonly CheckInstance[];
  readonly addOn: CheckInstance<AddOnIdentity>;
}

const whereServed =
  "AKS serves these documents itself: check whether a proxy or a firewall on this machine blocks the address; otherwise open a support request for the AKS cluster";

type Compared = (live: ManagedCluster, wanted: Partial<ManagedCluster>) => Finding<undefined>;

export function clusterChecks(snapshot: AksSnapshot, { subject, sound }: ResourceLinks): ClusterChecks {
  const compare = (id: keyof typeof aksChecks, run: Compared) =>
    checkInstance(aksChecks[id], subject, { sound }, ({ sound: seen }) => run(clusterIn(seen), wantedIn(seen)));
  const addOn = checkInstance(aksChecks["vault-addon"], subject, { sound }, ({ sound: seen }) => checkAddOn(snapshot, clusterIn(seen)));
  const rotation = checkInstance(aksChecks["vault-addon-rotation"], subject, { sound, addOn }, ({ sound: seen }) =>
    checkRotation(snapshot, clusterIn(seen), wantedIn(seen)),
  );
  const issuer = checkInstance(aksChecks["oidc-issuer"], subject, { sound }, ({ sound: seen }) =>
    checkIssuer(snapshot, clusterIn(seen), wantedIn(seen)),
  );
  const documents = checkInstance(aksChecks["oidc-documents"], subject, { issuer }, ({ issuer: url }) =>
    url === undefined ? notChecked("the cluster has no OIDC issuer") : documentsServed(snapshot.azure, url, whereServed),
  );
  const own = {
    addOn,
    rotation,
    issuer,
    workload: compare("workload-identity", (live, wanted) => checkWorkloadIdentity(snapshot, live, wanted)),
    accounts: compare("local-accounts", (live, wanted) => checkAccounts(snapshot, live, wanted)),
    encryption: compare("etcd-encryption", (live, wanted) => checkEncryption(snapshot, live, wanted)),
  };
  const running = compare("cluster-running", (live) => checkPower(snapshot, live));
  const supported = checkInstance(aksChecks["kubernetes-supported"], subject, { sound }, ({ sound: seen }) =>
    checkVersion(snapshot, clusterIn(seen)),
  );
  return { own, addOn, beside: [running, supported, documents] };
}

function fixes({ create }: AksSnapshot) {
  return advise`${create} fixes it`;
}

function checkPower(snapshot: AksSnapshot, { powerState }: ManagedCluster): Finding<undefined> {
  if (powerState?.code !== "Stopped") return passed(powerState?.code ?? "Running");
  return failed("it is stopped: no control plane and no node runs", shell`az aks start ${aksFlags(snapshot)}`);
}

function checkAddOn(snapshot: AksSnapshot, { addonProfiles }: ManagedCluster): Finding<AddOnIdentity> {
  const { enabled = false, identity } = addonProfiles?.["azureKeyvaultSecretsProvider"] ?? {};
  const { clientId, objectId } = identity ?? {};
  if (enabled && clientId !== undefined && objectId !== undefined)
    return passed(`enabled, with identity ${clientId}`, { clientId, objectId });
  return failed(
    `it is ${enabled ? "enabled, but has no identity" : "disabled"}: no pod can mount a secret of a vault`,
    advise`${snapshot.create} enables it, and assigns the roles of its new identity; afterwards, rerun what was given the old client ID`,
  );
}

function checkRotation(
  snapshot: AksSnapshot,
  { addonProfiles }: ManagedCluster,
  { addonProfiles: wanted }: Partial<ManagedCluster>,
): Finding<undefined> {
  const { enableSecretRotation: isOn = "false", rotationPollInterval: interval = "2m" } =
    addonProfiles?.["azureKeyvaultSecretsProvider"]?.config ?? {};
  const { enableSecretRotation: wish, rotationPollInterval } = wanted?.["azureKeyvaultSecretsProvider"]?.config ?? {};
  if (sameText(isOn, wish) && sameText(interval, rotationPollInterval)) return passed(`it polls for new versions every ${interval}`);
  const found = sameText(isOn, "true")
    ? `it polls every ${interval}`
    : "rotation is off: pods keep an old version until they are recreated";
  return failed(`${found}; the settings say ${rotationPollInterval ?? "off"}`, fixes(snapshot));
}

function checkIssuer(
  snapshot: AksSnapshot,
  { oidcIssuerProfile: { enabled = false, issuerURL } = {} }: ManagedCluster,
  { oidcIssuerProfile: wanted }: Partial<ManagedCluster>,
): Finding<string | undefined> {
  if (enabled && issuerURL !== undefined) return passed<string | undefined>(issuerURL, issuerURL);
  if (wanted?.enabled !== true) return passed<string | undefined>("none: the preset has no OIDC issuer", undefined);
  return failed("it is disabled: Microsoft Entra ID cannot verify the tokens of the cluster's service accounts", fixes(snapshot));
}

function checkWorkloadIdentity(
  snapshot: AksSnapshot,
  { securityProfile }: ManagedCluster,
  { securityProfile: wanted }: Partial<ManagedCluster>,
): Finding<undefined> {
  if (securityProfile?.workloadIdentity?.enabled === true) return passed("enabled");
  if (wanted?.workloadIdentity?.enabled !== true) return passed("none: the preset has no workload identity");
  return failed("it is disabled: pods get no token of their managed identities", fixes(snapshot));
}

function checkAccounts(
  snapshot: AksSnapshot,
  { disableLocalAccounts = false, aadProfile }: ManagedCluster,
  wanted: Partial<ManagedCluster>,
): Finding<undefined> {
  if (wanted.disableLocalAccounts !== true) return passed("the preset keeps local accounts");
  const wrong = [
    ...(disableLocalAccounts ? [] : ["local accounts are enabled, so a leaked certificate gives full access"]),
    ...(aadProfile?.enableAzureRbac === true ? [] : ["Azure RBAC does not decide who may use the API server"]),
  ];
  return wrong.length === 0 ? passed("disabled, with Azure RBAC") : failed(wrong.join("; "), fixes(snapshot));
}

function checkEncryption(
  snapshot: AksSnapshot,
  { securityProfile }: ManagedCluster,
  { securityProfile: wanted }: Partial<ManagedCluster>,
): Finding<undefined> {
  const keyId = wanted?.azureKeyVaultKms?.keyId;
  if (keyId === undefined) return passed("the settings have no key for etcd");
  const { enabled = false, keyId: used } = securityProfile?.azureKeyVaultKms ?? {};
  if (enabled && sameText(used, keyId)) return passed(keyId);
  const found = enabled ? `etcd is encrypted with ${used ?? "another key"}` : "etcd is encrypted only with a key of the platform";
  return failed(`${found}, not with ${keyId}`, advise`${fixes(snapshot)}; AKS then encrypts with that key what is written from then on`);
}

/** A cluster whose minor version is not offered any more gets no fixes and no support. */
async function checkVersion(snapshot: AksSnapshot, live: ManagedCluster): Promise<Finding<undefined>> {
  const { azure, spec, create } = snapshot;
  const runs = live.currentKubernetesVersion ?? live.kubernetesVersion;
  if (runs === undefined) return notChecked("Azure does not show its version");
  const { managedClusters } = await azure.clusters();
  const { values = [] } = await managedClusters.listKubernetesVersions(spec.location);
  const supported = values.filter(
    ({ capabilities }) => capabilities?.supportPlan?.includes(live.supportPlan ?? "KubernetesOfficial") ?? true,
  );
  const minors = supported.map(({ version = "" }) => version).sort(compareVersions);
  const minor = runs.split(".").slice(0, 2).join(".");
  if (minors.includes(minor)) return passed(`${runs}; ${spec.location} supports ${minors.join(", ")}`);
  const next = minors.find((one) => compareVersions(one, minor) > 0);
  return failed(
    `it runs ${runs}, and ${spec.location} supports ${minors.join(", ") || "none"} with its support plan`,
    next === undefined
      ? shell`az aks get-versions --location ${spec.location}`
      : advise`upgrade one minor version at a time: ${{ ...create, settings: { ...create.settings, kubernetesVersion: next } }}`,
  );
}

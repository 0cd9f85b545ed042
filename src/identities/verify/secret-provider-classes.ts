/** The row of each SecretProviderClass: it matches what `render secret-provider-classes` prints. */
import { advise, aroHcp, shell, type Advice } from "../../errors/advice.js";
import { controlPlaneNamespace, type HostedClusterKey } from "../../domain/hosted-cluster-key.js";
import type { Kubernetes, LiveSecretProviderClass } from "../../kubernetes/kubernetes.js";
import { secretProviderClass, type SecretProviderClass } from "../manifests/secret-provider-class.js";
import { failed, passed, notChecked, type Finding } from "../../verify/check.js";
import { given } from "../../verify/row.js";
import { aksFlags, enableAddOn, managementCluster, type AksCluster } from "./aks-cluster.js";
import { vaultReference } from "./file.js";
import { ownEntry } from "./identity-ownership.js";
import { controlPlaneRow, type IdentityReads } from "./reads.js";
import { operatorEnvironment } from "./vault-addon.js";

/** The namespace of a hosted control plane. */
interface ControlPlane {
  readonly kubernetes: Kubernetes;
  readonly cluster: HostedClusterKey;
  readonly namespace: string;
}

export const controlPlane = given(({ chain: { managementCluster: known } }: IdentityReads): ControlPlane | undefined => {
  const cluster = known?.hostedCluster;
  return cluster && { kubernetes: known.kubernetes, cluster, namespace: controlPlaneNamespace(cluster) };
}, "--name is not specified, so the control plane's namespace is unknown");

export const providerClass = controlPlaneRow(
  "secret-provider-class",
  { reader: operatorEnvironment, entry: ownEntry, vault: vaultReference, aks: managementCluster, place: controlPlane },
  async ({ reader, entry: { secretName, encoding }, vault: { name, tenantId }, aks, place }, { chain, once }, component) => {
    const { kubernetes, cluster, namespace } = place;
    if (!(await once("namespace", () => kubernetes.hasNamespace(namespace)))) {
      return notChecked(`namespace ${namespace} does not exist yet; HyperShift creates it for HostedCluster ${cluster.name}`);
    }
    const wanted = secretProviderClass({
      cluster,
      vault: { name, tenantID: tenantId },
      component,
      identity: { credentialsSecretName: secretName, objectEncoding: encoding },
      readerClientId: reader,
    });
    const live = await once("classes", () => kubernetes.secretProviderClasses(namespace));
    return live === undefined ? withoutDriver(aks) : checkClass(live, wanted, nextFor(chain.managedIdentities?.path, place, reader));
  },
);

function withoutDriver(aks: AksCluster): Finding<never> {
  const disable = shell`az aks disable-addons ${aksFlags(aks)} --addons azure-keyvault-secrets-provider`;
  return failed(
    "the API server has no SecretProviderClass resource: the Secrets Store CSI driver is not installed",
    advise`disable and enable the add-on: ${disable}, then ${enableAddOn(aks)}`,
  );
}

function checkClass(live: readonly LiveSecretProviderClass[], wanted: SecretProviderClass, next: Advice): Finding<LiveSecretProviderClass> {
  const { name, namespace } = wanted.metadata;
  const found = live.find((one) => one.name === name);
  if (found === undefined)
    return failed(`SecretProviderClass ${name} does not exist in ${namespace}: pods stay in ContainerCreating`, next);
  const differences = differencesOf(found, wanted);
  if (differences.length === 0) return passed(`${name} in ${namespace}`, found);
  return failed(`${name} in ${namespace}: ${differences.join("; ")}`, next);
}

/** Includes parameters that HyperShift does not set: a `cloudName` or an `objectVersion` changes what pods read. */
function differencesOf({ provider, parameters }: LiveSecretProviderClass, { spec }: SecretProviderClass): string[] {
  const keys = [...new Set([...Object.keys(spec.parameters), ...Object.keys(parameters)])];
  return [
    ...(provider === spec.provider ? [] : [`provider is ${quoted(provider)}, not ${quoted(spec.provider)}`]),
    ...keys
      .filter((key) => plain(parameters[key]) !== plain(spec.parameters[key]))
      .map((key) => `${key} is ${quoted(parameters[key])}, not ${quoted(spec.parameters[key])}`),
  ];
}

/** Removes blank lines and trailing spaces, which have no meaning here. */
function plain(text: string | undefined): string | undefined {
  return text
    ?.split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .join("\n");
}

function quoted(text: string | undefined): string {
  return text === undefined ? "absent" : `"${text.trim().replace(/\s+/g, " ")}"`;
}

/** HyperShift's operators create the same objects, so that an object applied by hand does not conflict. */
function nextFor(managedIdentitiesFile = "FILE", { kubernetes, cluster }: ControlPlane, keyVaultUserClientId: string): Advice {
  const apply = shell`kubectl --kubeconfig ${kubernetes.kubeconfig} apply --filename -`;
  const { name, namespace } = cluster;
  const settings = { name, namespace, managedIdentitiesFile, keyVaultUserClientId };
  return advise`${aroHcp("render secret-provider-classes", settings, apply)}; a running HyperShift operator creates them itself`;
}

/** Checks that each SecretProviderClass matches what `render secret-provider-classes` prints. */
import { advise, aroHcp, shell, type Advice } from "../../../errors/advice.js";
import type { LiveSecretProviderClass } from "../../../kubernetes/kubernetes.js";
import { secretProviderClass, type SecretProviderClass } from "../../manifests/secret-provider-class.js";
import { failed, passed, notChecked, type Finding } from "../../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../../verify/check-instance.js";
import type { ControlPlaneLink, IdentityChain, VaultReference } from "../chain.js";
import { identityChecks } from "../checks.js";
import { aksFlags, enableAddOn, type AksCluster } from "./aks-cluster.js";
import type { ControlPlane } from "./control-plane.js";

interface ClassNeeds {
  readonly vault: CheckInstance<VaultReference>;
  /** Client ID of the identity that reads the vault. */
  readonly operator: CheckInstance<string>;
  readonly aks: CheckInstance<AksCluster>;
}

export function classCheckInstance(
  chain: IdentityChain,
  { component, entry }: ControlPlaneLink,
  controlPlane: ControlPlane | undefined,
  { vault, operator, aks }: ClassNeeds,
): CheckInstance<LiveSecretProviderClass> {
  return checkInstance(
    identityChecks["secret-provider-class"],
    component.key,
    { operator, entry, vault, aks },
    async ({ operator: readerClientId, entry: { secretName, encoding }, vault: { name, tenantId }, aks: aksCluster }) => {
      if (controlPlane === undefined) return notChecked("--name is not specified, so the control plane's namespace is unknown");
      const { cluster, namespace } = controlPlane;
      if (!(await controlPlane.exists())) {
        return notChecked(`namespace ${namespace} does not exist yet; HyperShift creates it for HostedCluster ${cluster.name}`);
      }
      const wanted = secretProviderClass({
        cluster,
        vault: { name, tenantID: tenantId },
        component,
        identity: { credentialsSecretName: secretName, objectEncoding: encoding },
        readerClientId,
      });
      const live = await controlPlane.classes();
      return live === undefined ? withoutDriver(aksCluster) : checkClass(live, wanted, nextFor(chain, controlPlane, readerClientId));
    },
  );
}

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
function nextFor({ managedIdentities, managementCluster }: IdentityChain, { cluster }: ControlPlane, readerClientId: string): Advice {
  const { name, namespace } = cluster;
  const managedIdentitiesFile = managedIdentities?.path ?? "FILE";
  const apply = shell`kubectl --kubeconfig ${managementCluster?.kubernetes.kubeconfig ?? "FILE"} apply --filename -`;
  const settings = { name, namespace, managedIdentitiesFile, keyVaultUserClientId: readerClientId };
  return advise`${aroHcp("render secret-provider-classes", settings, apply)}; a running HyperShift operator creates them itself`;
}

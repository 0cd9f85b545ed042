/** Checks of the SecretProviderClasses: each as `render secret-provider-classes` prints it. */
import { advise, aroHcp, shell, type Advice } from "../../../errors/advice.js";
import type { LiveSecretProviderClass } from "../../../kubernetes/kubernetes.js";
import { secretProviderClass, type SecretProviderClass } from "../../../manifests/secret-provider-class.js";
import { broken, holds, notChecked, type Finding } from "../../check.js";
import { checkInstance, type CheckInstance } from "../../check-instance.js";
import type { ControlPlaneLink, IdentityChain, VaultReference } from "../chain.js";
import { identityChecks } from "../checks.js";
import { aksFlags, enableAddOn, type AksCluster } from "./aks-cluster.js";
import type { ControlPlane } from "./control-plane.js";

interface ClassNeeds {
  readonly vault: CheckInstance<VaultReference>;
  /** Client id of the identity that reads the vault. */
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
      if (controlPlane === undefined) return notChecked("no --name is given, so the control plane's namespace is not known");
      const { cluster, namespace } = controlPlane;
      if (!(await controlPlane.isThere())) {
        return notChecked(`there is no namespace ${namespace} yet: HyperShift makes it for HostedCluster ${cluster.name}`);
      }
      const wanted = secretProviderClass({
        cluster,
        vault: { name, tenantID: tenantId },
        component,
        identity: { credentialsSecretName: secretName, objectEncoding: encoding },
        readerClientId,
      });
      const live = await controlPlane.classes();
      return live === undefined ? withoutDriver(aksCluster) : decideOwned(live, wanted, nextFor(chain, controlPlane, readerClientId));
    },
  );
}

function withoutDriver(aks: AksCluster): Finding<never> {
  const disable = shell`az aks disable-addons ${aksFlags(aks)} --addons azure-keyvault-secrets-provider`;
  return broken(
    "the API server does not know SecretProviderClasses: the Secrets Store CSI driver is not installed",
    advise`disable and enable the add-on: ${disable}, then ${enableAddOn(aks)}`,
  );
}

function decideOwned(
  live: readonly LiveSecretProviderClass[],
  wanted: SecretProviderClass,
  next: Advice,
): Finding<LiveSecretProviderClass> {
  const { name, namespace } = wanted.metadata;
  const found = live.find((one) => one.name === name);
  if (found === undefined) return broken(`there is no SecretProviderClass ${name} in ${namespace}: pods stay in ContainerCreating`, next);
  const differences = differencesOf(found, wanted);
  if (differences.length === 0) return holds(`${name} in ${namespace}`, found);
  return broken(`${name} in ${namespace}: ${differences.join("; ")}`, next);
}

/** What HyperShift does not set does not belong there: a `cloudName` or an `objectVersion` would have pods read something else. */
function differencesOf({ provider, parameters }: LiveSecretProviderClass, { spec }: SecretProviderClass): string[] {
  const keys = [...new Set([...Object.keys(spec.parameters), ...Object.keys(parameters)])];
  return [
    ...(provider === spec.provider ? [] : [`provider is ${said(provider)}, not ${said(spec.provider)}`]),
    ...keys
      .filter((key) => plain(parameters[key]) !== plain(spec.parameters[key]))
      .map((key) => `${key} is ${said(parameters[key])}, not ${said(spec.parameters[key])}`),
  ];
}

/** Blank lines and blanks at the ends of lines mean nothing in these texts. */
function plain(text: string | undefined): string | undefined {
  return text
    ?.split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .join("\n");
}

function said(text: string | undefined): string {
  return text === undefined ? "absent" : `"${text.trim().replace(/\s+/g, " ")}"`;
}

/** HyperShift's operators make the same where they run: what is applied by hand they find as they want it. */
function nextFor({ managedIdentities, managementCluster }: IdentityChain, { cluster }: ControlPlane, readerClientId: string): Advice {
  const { name, namespace } = cluster;
  const managedIdentitiesFile = managedIdentities?.path ?? "FILE";
  const apply = shell`kubectl --kubeconfig ${managementCluster?.kubernetes.kubeconfig ?? "FILE"} apply --filename -`;
  const settings = { name, namespace, managedIdentitiesFile, keyVaultUserClientId: readerClientId };
  return advise`${aroHcp("render secret-provider-classes", settings, apply)}; HyperShift creates them itself where it runs`;
}

/** The commands that install HyperShift's operator on a management cluster, for a POSIX shell. */
import { shellWord } from "../../errors/shell-word.js";

export interface HypershiftInstall {
  /** Client ID of the identity that mounts the vault's secrets. */
  readonly readerClientId: string;
  /** Undefined: the current context of kubectl. */
  readonly kubeconfig: string | undefined;
  readonly externalDns: { readonly credentialsFile: string; readonly domain: string } | undefined;
  readonly pullSecretFile: string | undefined;
  readonly image: string | undefined;
  /** `FirstPartyUsage=/NonProd,RoutingPreference=Internet`; undefined without tags. */
  readonly sharedIngressTags: string | undefined;
  readonly privateLink: PrivateLink | undefined;
}

export interface PrivateLink {
  readonly resourceGroup: string;
  /** Signs in with workload identity. */
  readonly identity: { readonly clientId: string; readonly subscriptionId: string } | undefined;
}

/** The types that the operator uses, and AKS does not have. Versions are fixed, so that a rerun applies the same. */
const prometheusTypes = "https://raw.githubusercontent.com/prometheus-operator/prometheus-operator/v0.82.2/example/prometheus-operator-crd";
const requiredTypes = [
  ...["servicemonitors", "prometheusrules", "podmonitors"].map((name) => `${prometheusTypes}/monitoring.coreos.com_${name}.yaml`),
  "https://raw.githubusercontent.com/openshift/api/6bababe9164ea6c78274fd79c94a3f951f8d5ab2/route/v1/zz_generated.crd-manifests/routes.crd.yaml",
];

const tagVariable = "SHARED_INGRESS_AZURE_PIP_IP_TAGS";

/** The arguments after `hypershift install`, unquoted. */
export function installArguments(install: HypershiftInstall): readonly string[] {
  const { externalDns, pullSecretFile, image, sharedIngressTags, privateLink } = install;
  return [
    "--enable-conversion-webhook=false",
    ...(externalDns === undefined
      ? []
      : [
          "--external-dns-provider=azure",
          `--external-dns-credentials=${externalDns.credentialsFile}`,
          `--external-dns-domain-filter=${externalDns.domain}`,
        ]),
    ...(pullSecretFile === undefined ? [] : [`--pull-secret=${pullSecretFile}`]),
    "--managed-service=ARO-HCP",
    `--aro-hcp-key-vault-users-client-id=${install.readerClientId}`,
    ...(sharedIngressTags === undefined ? [] : [`--additional-operator-env-vars=${pairOf(tagVariable, sharedIngressTags)}`]),
    ...(privateLink === undefined ? [] : privateArguments(privateLink)),
    ...(image === undefined ? [] : [`--hypershift-image=${image}`]),
    "--limit-crd-install=Azure",
    "--tech-preview-no-upgrade",
  ];
}

/** The flag is a comma-separated list of pairs. In double quotes, as in CSV, a comma belongs to the value. */
function pairOf(name: string, value: string): string {
  const pair = `${name}=${value}`;
  return pair.includes(",") ? `"${pair}"` : pair;
}

function privateArguments({ resourceGroup, identity }: PrivateLink): readonly string[] {
  return [
    "--private-platform=Azure",
    `--azure-pls-resource-group=${resourceGroup}`,
    ...(identity === undefined
      ? []
      : [`--azure-pls-managed-identity-client-id=${identity.clientId}`, `--azure-pls-subscription-id=${identity.subscriptionId}`]),
  ];
}

/** The commands, ready to paste into a shell. */
export function installCommands(install: HypershiftInstall): string {
  return [...setup(install), commandLine(["hypershift", "install"], installArguments(install))].join("\n");
}

/** The first lines of a script, by which a later run recognizes the script of the same cluster. */
export function scriptHeader(cluster: string): string {
  // As a JSON string: a line break in a name would otherwise end the comment.
  return `#!/bin/sh\n# Installs HyperShift's operator; written by aro-hcp for ${JSON.stringify(cluster)}\n`;
}

/** A script that uses the files in its own directory, from any directory. It passes its arguments to hypershift. */
export function installScript(install: HypershiftInstall, cluster: string): string {
  const [words, lastWord] = [installArguments(install), '"$@"'];
  return [
    `${scriptHeader(cluster)}set -eu`,
    'case $0 in */*) CDPATH= cd -- "${0%/*}/" ;; esac',
    ...setup(install),
    `${commandLine(["hypershift", "install"], words)} \\\n  ${lastWord}`,
    "",
  ].join("\n");
}

function setup({ kubeconfig }: HypershiftInstall): readonly string[] {
  return [
    ...(kubeconfig === undefined ? [] : [`export KUBECONFIG=${shellWord(kubeconfig)}`]),
    commandLine(
      ["kubectl", "apply", "--server-side"],
      requiredTypes.map((url) => `--filename=${url}`),
    ),
  ];
}

/** One line for each argument. */
function commandLine(command: readonly string[], words: readonly string[]): string {
  return [command.join(" "), ...words.map(shellWord)].join(" \\\n  ");
}

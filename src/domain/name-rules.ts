/** Azure's rules for the length and characters of resource names, as data. */
import { plural } from "../text/plural.js";

interface NameRule {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly pattern: RegExp;
  /** The pattern as an instruction. */
  readonly alphabet: string;
}

const networkAlphabet = {
  pattern: /^[a-z0-9](?:[\w.-]*\w)?$/i,
  alphabet: "use letters, digits, underscores, periods and hyphens; start with a letter or digit; end with a letter, digit or underscore",
};

/**
 * https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules, narrowed to ASCII letters where a HostedCluster
 * does the same (`spec.platform.azure.resourceGroup`).
 */
const nameRules = {
  resourceGroup: {
    label: "resource group",
    min: 1,
    max: 90,
    pattern: /^[\w().-]*[\w()-]$/,
    alphabet: "use letters, digits, underscores, parentheses, hyphens and periods; do not end with a period",
  },
  managedIdentity: {
    label: "managed identity",
    min: 3,
    max: 128,
    pattern: /^[a-z0-9][\w-]*$/i,
    alphabet: "use letters, digits, underscores and hyphens; start with a letter or digit",
  },
  keyVault: {
    label: "Key Vault",
    min: 3,
    max: 24,
    pattern: /^(?!.*--)[a-z][a-z0-9-]*[a-z0-9]$/i,
    alphabet: "use letters, digits and single hyphens; start with a letter; end with a letter or digit",
  },
  virtualNetwork: { label: "virtual network", min: 2, max: 64, ...networkAlphabet },
  subnet: { label: "subnet", min: 1, max: 80, ...networkAlphabet },
  networkSecurityGroup: { label: "network security group", min: 1, max: 80, ...networkAlphabet },
  publicIpAddress: { label: "public IP address", min: 1, max: 80, ...networkAlphabet },
  natGateway: { label: "NAT gateway", min: 1, max: 80, ...networkAlphabet },
  loadBalancer: { label: "load balancer", min: 1, max: 80, ...networkAlphabet },
  virtualNetworkLink: { label: "virtual network link", min: 1, max: 80, ...networkAlphabet },
  privateDnsZone: {
    label: "private DNS zone",
    min: 3,
    // A DNS name has up to 253 characters. Azure accepts private zones longer than the 63 of its table (private AKS clusters have them).
    max: 253,
    pattern: /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,33}[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i,
    alphabet: "use 2 to 34 labels of 1 to 63 letters, digits and inner hyphens",
  },
  storageAccount: {
    label: "storage account",
    min: 3,
    max: 24,
    pattern: /^[a-z0-9]+$/,
    alphabet: "use only lowercase letters and digits",
  },
  blobContainer: {
    label: "blob container",
    min: 3,
    max: 63,
    pattern: /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
    alphabet: "use lowercase letters, digits and single inner hyphens",
  },
} as const satisfies Record<string, NameRule>;

export type NameKind = keyof typeof nameRules;

/** The problem as a sentence with the quoted name; undefined if Azure accepts it. */
export function nameProblem(kind: NameKind, name: string): string | undefined {
  const { label, min, max, pattern, alphabet }: NameRule = nameRules[kind];
  if (name.length < min || name.length > max) {
    return `${label} name "${name}" has ${plural(name.length, "character")}; Azure accepts ${min} to ${max}`;
  }
  return pattern.test(name) ? undefined : `${label} name "${name}" is not valid in Azure: ${alphabet}`;
}

/** Azure's rules for the length and characters of resource names, as data. */
import { plural } from "../text/plural.js";
import { resourceTypes, type ResourceTypeName } from "./resource-types.js";

interface NameRule {
  readonly min: number;
  readonly max: number;
  readonly pattern: RegExp;
  /** The pattern as an instruction. */
  readonly alphabet: string;
}

/** Of every resource of Microsoft.Network, if no rule below is its own. */
const networkRule: NameRule = {
  min: 1,
  max: 80,
  pattern: /^[a-z0-9](?:[\w.-]*\w)?$/i,
  alphabet: "use letters, digits, underscores, periods and hyphens; start with a letter or digit; end with a letter, digit or underscore",
};

/**
 * https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules, narrowed to ASCII letters where a HostedCluster
 * does the same (`spec.platform.azure.resourceGroup`).
 */
const nameRules = {
  resourceGroup: {
    min: 1,
    max: 90,
    pattern: /^[\w().-]*[\w()-]$/,
    alphabet: "use letters, digits, underscores, parentheses, hyphens and periods; do not end with a period",
  },
  managedIdentity: {
    min: 3,
    max: 128,
    pattern: /^[a-z0-9][\w-]*$/i,
    alphabet: "use letters, digits, underscores and hyphens; start with a letter or digit",
  },
  keyVault: {
    min: 3,
    max: 24,
    pattern: /^(?!.*--)[a-z][a-z0-9-]*[a-z0-9]$/i,
    alphabet: "use letters, digits and single hyphens; start with a letter; end with a letter or digit",
  },
  virtualNetwork: { ...networkRule, min: 2, max: 64 },
  privateDnsZone: {
    min: 3,
    // A DNS name has up to 253 characters. Azure accepts private zones longer than the 63 of its table (private AKS clusters have them).
    max: 253,
    pattern: /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,33}[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i,
    alphabet: "use 2 to 34 labels of 1 to 63 letters, digits and inner hyphens",
  },
  storageAccount: {
    min: 3,
    max: 24,
    pattern: /^[a-z0-9]+$/,
    alphabet: "use only lowercase letters and digits",
  },
  blobContainer: {
    min: 3,
    max: 63,
    pattern: /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
    alphabet: "use lowercase letters, digits and single inner hyphens",
  },
} as const satisfies Partial<Record<ResourceTypeName, NameRule>>;

type OfNetwork = {
  [N in ResourceTypeName]: (typeof resourceTypes)[N]["type"] extends `Microsoft.Network/${string}` ? N : never;
}[ResourceTypeName];

/** The name of a row whose names have a rule. */
export type NameKind = keyof typeof nameRules | OfNetwork;

/** The problem as a sentence with the quoted name; undefined if Azure accepts it. */
export function nameProblem(kind: NameKind, name: string): string | undefined {
  const { label } = resourceTypes[kind];
  const rules: Readonly<Partial<Record<NameKind, NameRule>>> = nameRules;
  const { min, max, pattern, alphabet } = rules[kind] ?? networkRule;
  if (name.length < min || name.length > max) {
    return `${label} name "${name}" has ${plural(name.length, "character")}; Azure accepts ${min} to ${max}`;
  }
  return pattern.test(name) ? undefined : `${label} name "${name}" is not valid in Azure: ${alphabet}`;
}

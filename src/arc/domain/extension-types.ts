/** The types of cluster extensions that have a short name here, with their defaults. */

export interface ExtensionType {
  /** The type as Azure spells it: `Microsoft.AzureKeyVaultSecretsProvider`. */
  readonly type: string;
  readonly label: string;
  /** The name of the extension unless another is chosen. Azure's own tools and policies give it this name. */
  readonly extensionName: string | undefined;
  /** The namespace of its Helm release, if Azure accepts no other. */
  readonly releaseNamespace: string | undefined;
  /** Further resource providers, which Azure does not register with the first request. */
  readonly providers: readonly string[];
}

const keyVaultProvider: ExtensionType = {
  type: "Microsoft.AzureKeyVaultSecretsProvider",
  label: "Key Vault secrets provider",
  extensionName: "akvsecretsprovider",
  releaseNamespace: "kube-system",
  providers: [],
};

const policy: ExtensionType = {
  type: "microsoft.policyinsights",
  label: "Azure Policy",
  extensionName: "azurepolicy",
  releaseNamespace: "kube-system",
  providers: ["Microsoft.PolicyInsights"],
};

const shortNames: Readonly<Record<string, ExtensionType>> = { "key-vault": keyVaultProvider, policy };

/** Finds the type by its short name, or by the type in any casing. */
export function extensionType(given: string): ExtensionType {
  const lower = given.toLowerCase();
  return (
    shortNames[lower] ??
    Object.values(shortNames).find(({ type }) => type.toLowerCase() === lower) ?? {
      type: given,
      label: given,
      extensionName: undefined,
      releaseNamespace: undefined,
      providers: [],
    }
  );
}

export function isKeyVaultProvider({ type }: Pick<ExtensionType, "type">): boolean {
  return type.toLowerCase() === keyVaultProvider.type.toLowerCase();
}

export function isPolicy({ type }: Pick<ExtensionType, "type">): boolean {
  return type.toLowerCase() === policy.type.toLowerCase();
}

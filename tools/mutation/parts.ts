/** The sources that are mutated, by part: files, and folders that end with a slash. */
export const parts: Readonly<Record<string, readonly string[]>> = {
  engine: ["src/engine/"],
  ownership: [
    ...["cluster-resource", "given-vault", "infra-id-of-other", "inspected-vault", "ownership", "set-ownership", "tags"].map(
      (name) => `src/domain/${name}.ts`,
    ),
    "src/aks/domain/cluster-resource.ts",
    "src/azure/application-ownership.ts",
    "src/steps/missing-tags.ts",
    "src/steps/ownership-decision.ts",
  ],
  // The others mostly read Azure: `npm run mutants` and the simulations are about them.
  removal: ["dns-records", "emptied-group", "existing-groups", "inventory", "recoverable", "second-owner", "selection", "vaults"].map(
    (name) => `src/removal/${name}.ts`,
  ),
  decisions: ["src/steps/", ...["aks", "identities", "infra", "issuer"].map((feature) => `src/${feature}/steps/`)],
};

/** The first part that has it. */
export function partOf(file: string): string | undefined {
  return Object.keys(parts).find((name) => parts[name]?.some((one) => (one.endsWith("/") ? file.startsWith(one) : file === one)));
}

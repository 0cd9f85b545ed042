/** Which folder of src may import which: the table of docs/internals/architecture.md. */

/** A folder of the platform: what it may import besides itself. */
const mayImport = {
  text: [],
  errors: ["text"],
  domain: ["errors", "text"],
  oidc: ["errors", "text"],
  engine: ["errors", "text"],
  azure: ["errors", "domain", "text"],
  files: ["errors", "domain", "text"],
  manifests: ["domain", "files", "errors", "text"],
  kubernetes: ["domain", "files", "errors", "text"],
  render: ["engine", "errors", "text"],
  steps: ["engine", "domain", "oidc", "files", "azure", "errors", "text"],
  removal: ["engine", "domain", "oidc", "azure", "errors", "text"],
  verify: ["engine", "steps", "domain", "oidc", "files", "azure", "manifests", "kubernetes", "errors", "text"],
  preflight: ["verify", "engine", "domain", "azure", "errors", "text"],
  settings: ["features", "errors", "domain", "text"],
  emulator: [],
};

/** The features, each a folder of this name: the others that it may import. */
const features = {
  issuer: [],
  "encryption-key": [],
  infra: ["issuer"],
  identities: ["infra", "issuer", "encryption-key"],
  iam: [],
  aks: ["infra"],
  "dns-zone": [],
  arc: [],
  "hosted-cluster": ["infra", "identities", "encryption-key", "aks", "dns-zone"],
  all: ["infra", "identities", "issuer", "encryption-key"],
  doctor: ["all", "infra", "identities", "issuer", "aks"],
  estate: ["aks", "doctor"],
  fleet: ["estate"],
  local: [],
};
const anyFeature = Object.keys(features).join("|");

/** The folders of a feature keep to the same table. */
const inFeature = `(?:(?:${anyFeature})/)?`;
const ofFolders = Object.entries(mayImport).map(([folder, others]) => ({
  name: `boundary-${folder}`,
  comment: `${folder}, of src or of a feature, may import ${others.join(", ") || "nothing of ours"}`,
  severity: "error",
  from: { path: `^src/${inFeature}${folder}/` },
  to: {
    path: "^src/",
    pathNot: [`^src/${inFeature}(?:${[folder, ...others].join("|")})[/.]`, `^src/(?:${anyFeature})/[^/]+\\.ts$`],
  },
}));

const ofFeatures = Object.entries(features).map(([feature, others]) => ({
  name: `boundary-${feature}`,
  comment: `of the features, src/${feature} may import ${others.join(", ") || "none"}`,
  severity: "error",
  from: { path: `^src/${feature}/` },
  to: { path: `^src/(${anyFeature})/`, pathNot: `^src/(${[feature, ...others].join("|")})/` },
}));

/** The folders of the emulator: each may import only those before it. The files above them put the emulator together. */
const emulatorFolders = ["common", "state", "core", "arm", "services", "listeners"];
const ofEmulator = emulatorFolders.map((folder, at) => ({
  name: `emulator-${folder}`,
  comment: `${folder} of the emulator may import ${emulatorFolders.slice(0, at).join(", ") || "nothing of ours"}`,
  severity: "error",
  from: { path: `^src/emulator/${folder}/` },
  to: { path: "^src/emulator/", pathNot: `^src/emulator/(?:${emulatorFolders.slice(0, at + 1).join("|")})/` },
}));

module.exports = {
  forbidden: [
    ...ofFolders,
    ...ofFeatures,
    {
      name: "features-by-registry",
      comment: "the platform knows features through src/features.ts only, which loads of each its feature.ts",
      severity: "error",
      from: { path: "^src/", pathNot: `^src/(?:(?:${anyFeature})/|features\\.ts$)` },
      to: { path: `^src/(?:${anyFeature})/` },
    },
    {
      name: "registry-readers",
      comment: "only settings, the library and the command line read src/features.ts",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(?:settings|library|cli)/" },
      to: { path: "^src/features\\.ts$" },
    },
    {
      name: "registry",
      comment: "src/features.ts loads what a feature registers, and no library",
      severity: "error",
      from: { path: "^src/features\\.ts$" },
      to: { path: "^src/", pathNot: `^src/(?:(?:${anyFeature}|cli)/feature|settings/\\w+-options)\\.ts$` },
    },
    {
      name: "registered",
      comment: "what help and completion load of a feature: tables, and no library",
      severity: "error",
      from: { path: "^src/[\\w-]+/feature\\.ts$" },
      to: { pathNot: "^src/(?:[\\w-]+/(?:commands|options)|verify/check|run/kind-command)\\.ts$", dependencyTypesNot: ["dynamic-import"] },
    },
    {
      name: "checks-of-options",
      comment: "settings are resolved with these checks, so these must not resolve settings",
      severity: "error",
      from: { path: "^src/[\\w-]+/option-checks" },
      to: { path: "^src/(?:run|cli)/|^src/settings/(?:resolve|checks/all)\\.ts$" },
    },
    {
      name: "features-by-index",
      comment: "a feature uses another through its index.ts",
      severity: "error",
      from: { path: `^src/(${anyFeature})/` },
      to: { path: `^src/(?:${anyFeature})/`, pathNot: `^src/(?:$1/|(?:${anyFeature})/index\\.ts$)` },
    },
    {
      name: "boundary-unknown-folder",
      comment: "a new folder of src needs a row in the table",
      severity: "error",
      from: { path: "^src/", pathNot: `^src/(?:(?:cli|library|run|${[...Object.keys(mayImport), anyFeature].join("|")})/|features\\.ts$)` },
      to: {},
    },
    {
      name: "boundary-run",
      comment: "how a command runs is known to the command line and to features, and knows neither",
      severity: "error",
      from: { path: "^src/run/" },
      to: { path: "^src/cli/" },
    },
    {
      name: "boundary-library",
      comment: "the command line is the only part that uses the library",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(?:cli|library)/" },
      to: { path: "^src/library/" },
    },
    {
      name: "boundary-cli",
      comment: "nothing imports the command line",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(?:cli/|features\\.ts$)" },
      to: { path: "^src/cli/" },
    },
    {
      name: "emulator-one-entry",
      comment: "the emulator is imported through its index.ts, or by clients through client.ts, only",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/emulator/" },
      to: { path: "^src/emulator/", pathNot: "^src/emulator/(index|client)\\.ts$" },
    },
    ...ofEmulator,
    {
      name: "emulator-types",
      comment: "what all resource types share knows none of them",
      severity: "error",
      from: { path: "^src/emulator/arm/[^/]+$" },
      to: { path: "^src/emulator/arm/types/" },
    },
    {
      name: "emulator-parts",
      comment: "a provider's types and a service do not know the file that puts all of them together",
      severity: "error",
      from: { path: "^src/emulator/(arm/types|services)/[^/]+/" },
      to: { path: "^src/emulator/$1/[^/]+$" },
    },
    {
      name: "zod-is-slow-to-load",
      comment: "zod takes longer to load than --help may take: only in what commands load when they run",
      severity: "error",
      from: {
        path: "^src/",
        pathNot: [`^src/${inFeature}files/`, "^src/[\\w-]+/documents\\.ts$", "^src/cli/json-schemas\\.ts$", "^src/(emulator|azure)/"],
      },
      to: { path: "node_modules/zod/" },
    },
    {
      name: "no-cycles",
      comment: "files that import each other cannot be read one at a time; what a table loads on demand may ask the table",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["dynamic-import"] } },
    },
    {
      name: "emulator-folders",
      comment: "of two folders side by side in the emulator, only one imports the other",
      severity: "error",
      scope: "folder",
      from: { path: "^src/emulator" },
      to: { path: "^src/emulator", circular: true },
    },
    {
      name: "resolvable",
      comment: "an import that leads nowhere",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};

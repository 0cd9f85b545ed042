/** The commands that simulations run, by name: the first words are the command, the others tell apart its runs with different options. */
import { existsSync } from "node:fs";
import path from "node:path";
import { commandIn } from "../../src/settings/commands.js";
import {
  arcExtensionFlags,
  arcFlags,
  clusterFlags,
  createIamFlags,
  createManagementFlags,
  createServiceFlags,
  createZoneFlags,
  egressFlags,
  givenVaultFlags,
  hsmFlags,
  iamFlags,
  infraFlags,
  managementFlags,
  serviceFlags,
  setFlags,
  wholeFlags,
  zoneFlags,
  type DemoFiles,
  type EgressChoice,
} from "../demo-cluster.js";

/** The arguments of a command whose files are in a directory. */
export type Command = (directory: string) => readonly string[];

/** Of the directory of a command, below it: what the commands write. */
export const outputDirectory = "output";

/** The identity files of `writeDemoFiles` in a directory. */
function demoFilesIn(directory: string): DemoFiles {
  return {
    managedIdentities: path.join(directory, "managed-identities.json"),
    dataPlaneIdentities: path.join(directory, "data-plane-identities.json"),
  };
}

const output = (directory: string, ...file: readonly string[]): string => path.join(directory, outputDirectory, ...file);

const infraWith = (directory: string, choice: EgressChoice) => [
  ...wholeFlags,
  ...egressFlags[choice],
  ...["--output-file", output(directory, "infra.json")],
];
const ifWritten = (flag: string, file: string) => (existsSync(file) ? [flag, file] : []);
/** By default, nobody could purge the vault, and no destroy would restore the beginning. */
const purgeableKey = ["--enable-kms", "--no-purge-protection"];
const keyFile = (directory: string) => ["--output-file", output(directory, "encryption-key.json")];

const createSetFlags = [...setFlags, "--oidc-issuer-url", "https://issuer.example.com/demo", "--enable-kms"];

/** With an overlap of 1 s, the same run of a rotation also removes the old keys. */
const flags = {
  "create infra": (directory) => [...infraFlags(demoFilesIn(directory)), "--output-file", output(directory, "infra.json")],
  "destroy infra": () => clusterFlags,
  "create infra with nat-gateway": (directory) => infraWith(directory, "nat-gateway"),
  "create infra with addresses": (directory) => infraWith(directory, "addresses"),
  "create infra with prefix": (directory) => infraWith(directory, "prefix"),
  "create infra with existing-gateway": (directory) => infraWith(directory, "existing-gateway"),
  "create infra with routing": (directory) => infraWith(directory, "routing"),
  "create all": (directory) => [...wholeFlags, ...purgeableKey, "--output-dir", output(directory)],
  "create all with account-key": (directory) => [
    ...wholeFlags,
    ...purgeableKey,
    "--issuer-upload",
    "account-key",
    "--output-dir",
    output(directory),
  ],
  "create all with hsm": (directory) => [...wholeFlags, "--enable-kms", ...hsmFlags, "--output-dir", output(directory)],
  "destroy all": () => [...clusterFlags, "--purge"],
  "verify identities": (directory) => ["--cloud", "local", "--input-dir", output(directory)],
  "create identities": () => createSetFlags,
  "destroy identities": () => [...setFlags, "--purge"],
  "create identities with given-vault": () => [...createSetFlags, ...givenVaultFlags],
  "create encryption-key with given-vault": (directory) => [...setFlags, ...givenVaultFlags, ...keyFile(directory)],
  "rotate encryption-key with given-vault": (directory) => [...setFlags, ...givenVaultFlags, ...keyFile(directory)],
  "destroy identities with given-vault": () => [...setFlags, ...givenVaultFlags, "--purge"],
  "rotate credentials": () => [...setFlags, "--overlap", "1s"],
  "create encryption-key": (directory) => [...setFlags, ...keyFile(directory)],
  "rotate encryption-key": (directory) => [...setFlags, ...keyFile(directory)],
  "destroy encryption-key": () => setFlags,
  "create encryption-key with hsm": (directory) => [...setFlags, ...hsmFlags, ...keyFile(directory)],
  "rotate encryption-key with hsm": (directory) => [...setFlags, ...hsmFlags, ...keyFile(directory)],
  "destroy encryption-key with hsm": () => [...setFlags, ...hsmFlags],
  "create management-cluster": (directory) => [...createManagementFlags, "--output-file", output(directory, "management-cluster.json")],
  "destroy management-cluster": () => [...managementFlags, "--purge"],
  "create service-cluster": (directory) => [...createServiceFlags, "--output-file", output(directory, "service-cluster.json")],
  // Until the secrets provider has its role on the certificate, only the file names it.
  "destroy service-cluster": (directory) => [
    ...serviceFlags,
    "--purge",
    ...ifWritten("--service-cluster-file", output(directory, "service-cluster.json")),
  ],
  "create arc": (directory) => [...arcFlags, "--output-dir", output(directory)],
  "create arc secrets": (directory) => [
    ...arcFlags,
    ...["--output-file", output(directory, "arc-secrets.json")],
    ...["--output-credential", output(directory, "arc-credential.json")],
  ],
  "create arc extension": () => arcExtensionFlags,
  "destroy arc extension": () => arcExtensionFlags,
  // A client secret proves nothing, but the file names its application before the secret exists.
  "destroy arc": (directory) => [...arcFlags, "--purge", ...ifWritten("--arc-secrets-file", output(directory, "arc-secrets.json"))],
  "create iam": (directory) => [...createIamFlags, "--output-file", output(directory, "workload-identities.json")],
  "destroy iam": () => iamFlags,
  "adopt iam": () => iamFlags,
  "create dns-zone": (directory) => [...createZoneFlags, "--output-file", output(directory, "dns-zone.json")],
  "create dns-zone with workload-identity": (directory) => [
    ...[...createZoneFlags, "--external-dns-identity", "workload-identity"],
    ...["--output-file", output(directory, "dns-zone.json")],
  ],
  "create dns-zone with service-principal": (directory) => [
    ...[...zoneFlags, "--external-dns-identity", "service-principal"],
    ...["--output-file", output(directory, "dns-zone.json")],
    ...["--external-dns-credentials-file", output(directory, "external-dns.json")],
  ],
  "destroy dns-zone": (directory) => [
    ...[...zoneFlags, "--purge"],
    ...["--external-dns-credentials-file", output(directory, "external-dns.json")],
  ],
} as const satisfies Readonly<Record<string, Command>>;

export type CommandName = keyof typeof flags;

/** The words of the command of the program. */
const words = (name: string) => (commandIn(name.split(" ")) ?? name).split(" ");

export const command =
  (name: CommandName): Command =>
  (directory) => [...words(name), ...flags[name](directory), ...(name.startsWith("verify") ? [] : ["--yes"])];

/** A public DNS zone with its ExternalDNS, verified through the command line. It is created once; each test may break its copy. */
import { cp } from "node:fs/promises";
import { join } from "node:path";
import type { Azure } from "../../../src/azure/azure.js";
import type { RenderedResult as Result } from "../../../src/run/verification.js";
import { zoneFlags } from "../../../tools/demo-cluster.js";
import { exits } from "../../cli/expectations.js";
import { publicFile, testKey } from "../../issuer/signing-keys.js";
import { connectedAzure } from "../../harness/connected-azure.js";
import { demoIssuer } from "../../harness/demo-issuer.js";
import { madeOnce } from "../../harness/made-once.js";
import { shellWords } from "../../harness/shell-words.js";
import { testEmulator, type CliOptions, type TestEmulator } from "../../harness/test-emulator.js";
import type { AdvisedState } from "../../verify/advice.js";

export type ExternalDnsKind = "workload-identity" | "service-principal";

export interface DnsZoneState extends TestEmulator, AdvisedState {
  readonly azure: Azure;
  /** The azure.json of a service principal. */
  readonly credentialsFile: string;
  /** `flags` replace those about ExternalDNS. */
  verify(flags?: readonly string[], options?: CliOptions): Promise<Result[]>;
  publishIssuer(): Promise<unknown>;
}

const credentialsIn = (directory: string) => join(directory, "azure.json");

function flagsOf(kind: ExternalDnsKind, directory: string): readonly string[] {
  if (kind === "workload-identity") return ["--oidc-issuer-url", demoIssuer];
  return ["--external-dns-identity", kind, "--external-dns-credentials-file", credentialsIn(directory)];
}

async function publishIssuer(emulator: TestEmulator): Promise<void> {
  const key = await publicFile(emulator.path("keys"), testKey());
  exits(await emulator.cli(["create", "oidc-issuer", "--cloud", "local", "--name", "demo", "--public-key-file", key]), 0);
}

export async function dnsZoneState(kind: ExternalDnsKind): Promise<DnsZoneState> {
  const prepared = await madeOnce(`dns-zone-${kind}`, async (directory) => {
    const emulator = await testEmulator();
    if (kind === "workload-identity") await publishIssuer(emulator);
    exits(await emulator.cli(["create", "dns-zone", ...zoneFlags, ...flagsOf(kind, emulator.directory), "--yes"]), 0);
    await cp(emulator.directory, directory, { recursive: true });
  });
  const emulator = await testEmulator({ prepared });
  return {
    ...emulator,
    azure: await connectedAzure(emulator.directory),
    credentialsFile: credentialsIn(emulator.directory),
    async verify(flags = flagsOf(kind, emulator.directory), options) {
      const { stdout, stderr } = await emulator.cli(["verify", "dns-zone", ...zoneFlags, ...flags, "--output", "json"], options);
      if (!stdout.includes('"results"')) throw new Error(`${stdout}${stderr}`);
      return (JSON.parse(stdout) as { readonly results: Result[] }).results;
    },
    follow: async (line) => exits(await emulator.cli([...shellWords(line).slice(1), "--yes"]), 0).stdout,
    publishIssuer: () => publishIssuer(emulator),
  };
}

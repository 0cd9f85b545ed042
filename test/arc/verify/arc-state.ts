/** A connected cluster with both extensions and a secret, verified through the command line. It is created once; each test may break its copy. */
import { cp } from "node:fs/promises";
import { join } from "node:path";
import type { RenderedResult as Result } from "../../../src/run/verification.js";
import { arcClusterId, registerProviders, startAgents } from "../cli/connected-clusters.js";
import { exits } from "../../cli/expectations.js";
import { madeOnce } from "../../harness/made-once.js";
import { shellWords } from "../../harness/shell-words.js";
import { realTime, testEmulator, type CliOptions, type TestEmulator } from "../../harness/test-emulator.js";

export const demo = ["--cloud", "local", "--name", "demo"];
/** Also the vault of create arc secrets. */
export const arcVault = "kv-demo-arc";
const definition = "/providers/Microsoft.Authorization/policyDefinitions/95edb821-ddaf-4404-9732-666045e056b4";

export interface ArcState extends TestEmulator {
  verify(flags?: readonly string[], options?: CliOptions): Promise<Result[]>;
  /** Runs a command line of `aro-hcp`, with the directory of the onboarding key. */
  follow(line: string): Promise<void>;
  createSecrets(): Promise<unknown>;
}

const filesIn = (directory: string) => join(directory, "arc-files");

function createSecrets(azure: TestEmulator): Promise<unknown> {
  const issuer = ["--oidc-issuer-url", "https://demo.blob.core.windows.net/demo", "--key-vault-name", arcVault];
  return succeed(azure, ["create", "arc", "secrets", ...demo, ...issuer, "--output-file", join(filesIn(azure.directory), "secrets.json")]);
}

async function succeed(azure: TestEmulator, words: readonly string[]): Promise<void> {
  exits(await azure.cli([...words, "--yes"]), 0);
}

export async function arcState(): Promise<ArcState> {
  const prepared = await madeOnce("arc", async (directory) => {
    const azure = await testEmulator({ env: realTime });
    await succeed(azure, ["create", "arc", ...demo, "--output-dir", filesIn(azure.directory)]);
    await startAgents(azure);
    await registerProviders(azure, { "Microsoft.PolicyInsights": "Registered" });
    for (const type of ["key-vault", "policy"]) await succeed(azure, ["create", "arc", "extension", ...demo, "--extension-type", type]);
    await createSecrets(azure);
    const properties = { displayName: "No privileged containers", policyDefinitionId: definition, scope: arcClusterId };
    await azure.seed({
      resources: { [`${arcClusterId}/providers/Microsoft.Authorization/policyAssignments/no-privileged`]: { properties } },
    });
    await cp(azure.directory, directory, { recursive: true });
  });
  const azure = await testEmulator({ prepared, env: realTime });
  return {
    ...azure,
    async verify(flags = [], options) {
      const { stdout, stderr } = await azure.cli(["verify", "arc", ...demo, "--output", "json", ...flags], options);
      if (!stdout.includes('"results"')) throw new Error(`${stdout}${stderr}`);
      return (JSON.parse(stdout) as { readonly results: Result[] }).results;
    },
    follow: (line) => succeed(azure, shellWords(line.replace("<output-dir>", filesIn(azure.directory))).slice(1)),
    createSecrets: () => createSecrets(azure),
  };
}

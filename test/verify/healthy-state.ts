/** A state in which every check of every identity passes. It is created once for all tests and copied for each, so that a test may break it. */
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Azure } from "../../src/azure/azure.js";
import { systemClock, type SystemClock } from "../../src/azure/clock.js";
import { signedIn } from "../../src/azure/signed-in.js";
import { toFailure } from "../../src/azure/to-failure.js";
import { givenDocument } from "../../src/files/given-document.js";
import { readInfraOutput } from "../../src/files/infra-output.js";
import { renderedResult, type RenderedResult as Result } from "../../src/run/verification.js";
import type { IdentityChain } from "../../src/identities/verify/chain.js";
import { identityCheckInstances } from "../../src/identities/verify/check-instances.js";
import { linesIn } from "../harness/own-line.js";
import { plainAdvice } from "../harness/plain-advice.js";
import { runChecks } from "../../src/verify/run.js";
import { withNeeds, type CheckFilter } from "../../src/verify/selection.js";
import { plainEnvironment, type CliResult } from "../../tools/cli-process.js";
import { cryptoUser } from "../../src/domain/roles.js";
import { groupId } from "../cli/demo-cluster.js";
import { placePrivateKey, testKey } from "../issuer/signing-keys.js";
import { cli } from "../harness/cli.js";
import { connectedAzure } from "../harness/connected-azure.js";
import { stateTemplate } from "../harness/test-emulator.js";
import { madeOnce } from "../harness/made-once.js";
import { shellWords } from "../harness/shell-words.js";
import { changeState } from "../harness/state-changes.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";
import { applicationOf, assign } from "../identities/verify/identity-edits.js";
import { demoIssuer } from "../harness/demo-issuer.js";

const base = ["--base-domain", "hcp.example.com", "--dns-zone-rg-name", "dns", "--enable-kms"];
const cluster = ["--cloud", "local", "--name", "demo", "--infra-id", "demo-x7k2"];
const issuer = demoIssuer;

export interface HealthyState {
  /** The folder with the state and the files, for another test to copy. */
  readonly root: string;
  /** Directory of the emulator's state. */
  readonly directory: string;
  /** The output directory of `create all`. */
  readonly files: string;
  /** Signed in as the principal that created everything. */
  readonly azure: Azure;
  /** The vault's name. */
  readonly vault: string;
  /** The inputs of a verification; `changes` replaces some of them. */
  chain(changes?: Partial<IdentityChain>): Promise<IdentityChain>;
  /** Runs all checks, or the selected ones with all that they need. */
  verify(changes?: Partial<IdentityChain>, filter?: Partial<CheckFilter>): Promise<Result[]>;
  /** Reruns the command that created everything. */
  createAgain(): Promise<string>;
  /** Runs `aro-hcp` with these arguments. Throws if it fails. */
  aroHcp(args: readonly string[]): Promise<string>;
  /** Runs a command line of an advice: "aro-hcp create identities ...". Throws if it fails. */
  follow(line: string): Promise<string>;
  /** Runs `aro-hcp` with these arguments. Never rejects because of an exit code. */
  run(...args: readonly string[]): Promise<CliResult>;
  /** Runs `aro-hcp` with fault rules. `timeScale` is how many of Azure's seconds pass in one second. */
  struck(faults: readonly unknown[], args: readonly string[], timeScale?: number): Promise<CliResult>;
}

/** The folder of the healthy state, which was created `daysAgo`. Callers copy it but do not change it. */
export function originalState(daysAgo = 0): Promise<string> {
  return madeOnce(`healthy-${String(daysAgo)}`, async (root) => {
    await cp(await stateTemplate(), join(root, "azure"), { recursive: true });
    await placePrivateKey(join(root, "demo"), testKey());
    await createAll(root, clockBehind(daysAgo));
    // On keys that are not this cluster's, as if its vault were in another group.
    await changeState({ directory: join(root, "azure") }, (stored) => {
      const { servicePrincipalId = "" } = applicationOf(stored, "kms");
      assign(stored, groupId("dns"), cryptoUser.id, servicePrincipalId, "00000000-0000-4000-8000-00000000cccc");
    });
  });
}

function createAll(root: string, clock?: SystemClock): Promise<string> {
  return command(root, ["create", "all", ...cluster, ...base, "--output-dir", join(root, "demo")], clock);
}

async function command(root: string, args: readonly string[], clock?: SystemClock): Promise<string> {
  const { code, stdout, stderr } = await ran(root, args, {}, clock);
  if (code !== 0) throw new Error(`aro-hcp ${args.join(" ")} exited with ${String(code)}\n${stderr}${stdout}`);
  return stdout;
}

/** A clock that runs behind, for the program and for the emulator that it starts. */
function clockBehind(days: number): SystemClock {
  return { ...systemClock, now: () => new Date(Date.now() - days * 86_400_000) };
}

function ran(root: string, args: readonly string[], more: Readonly<Record<string, string>> = {}, clock: SystemClock = systemClock) {
  const env = { ...plainEnvironment(root), ARO_HCP_LOCAL_DIR: join(root, "azure"), ARO_HCP_CLOUD: "local", ...more };
  return cli(args, { env, clock });
}

/** Deleted when the test ends. `environment` is that of the emulator. `original` is a folder to copy. */
export async function healthyState(
  environment: Readonly<Record<string, string>> = {},
  original: Promise<string> = originalState(),
): Promise<HealthyState> {
  const { path: root } = temporaryDirectory();
  await cp(await original, root, { recursive: true });
  const directory = join(root, "azure");
  const files = join(root, "demo");
  const azure = await connectedAzure(directory, environment);
  const chain = async (changes: Partial<IdentityChain> = {}): Promise<IdentityChain> => ({
    caller: await signedIn(azure.connection),
    managedIdentities: await givenDocument(join(files, "identities.json")),
    dataPlaneIdentities: undefined,
    infra: await readInfraOutput(join(files, "infra.json")),
    issuerUrl: issuer,
    signingKeyPath: join(files, "serviceaccount-signer.private"),
    encryptionKeyId: undefined,
    watchExpiryDays: 30,
    customHcpRoles: false,
    disabledCapabilities: [],
    managementCluster: undefined,
    now: () => new Date(),
    ...changes,
  });
  return {
    root,
    directory,
    files,
    azure,
    vault: vaultIn(await readFile(join(files, "identities.json"), "utf8")),
    chain,
    async verify(changes, filter = {}) {
      const instances = identityCheckInstances(azure, await chain(changes));
      const results = await runChecks(withNeeds(instances, { subjects: [], checks: [], ...filter }), {
        concurrency: 16,
        signal: new AbortController().signal,
        emit: () => undefined,
        elapsedMs: () => performance.now(),
        toFailure,
      });
      return results.map((result) => renderedResult(result, plainAdvice));
    },
    createAgain: () => createAll(root),
    run: (...args) => ran(root, args),
    async struck(faults, args, timeScale = 1) {
      const path = join(root, "faults.json");
      await writeFile(path, JSON.stringify(faults));
      return ran(root, args, { ARO_HCP_LOCAL_FAULTS: path, ARO_HCP_LOCAL_TIME_SCALE: String(timeScale) });
    },
    aroHcp: (args) => command(root, args),
    follow: (line) => command(root, shellWords(line).slice(1)),
  };
}

function vaultIn(text: string): string {
  const { controlPlane } = JSON.parse(text) as { controlPlane: { managedIdentitiesKeyVault: { name: string } } };
  return controlPlane.managedIdentitiesKeyVault.name;
}

/** "secret-exists/cpo failed": the failures and warnings, without the checks that were skipped because of them. */
export function findings(results: readonly Result[]): string[] {
  return results
    .filter(({ state }) => state === "failed" || state === "warning")
    .map(({ check, subject, state }) => `${check}/${subject} ${state}`)
    .sort();
}

/** The result of a check on a subject. */
export function rowOf(results: readonly Result[], check: string, subject: string): Result {
  const row = results.find((result) => result.check === check && result.subject === subject);
  if (row === undefined) throw new Error(`${check}/${subject} has no result`);
  return row;
}

/** The commands in an advice. */
export function commandsIn({ next }: Result): string[] {
  return linesIn(next ?? "");
}

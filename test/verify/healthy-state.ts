/** A world in which every link of every identity holds: made once for all tests, copied for each, so that each may break what it likes. */
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openAzure, type Azure } from "../../src/azure/azure.js";
import { clouds } from "../../src/azure/cloud.js";
import { scaledClock } from "../../src/azure/clock.js";
import { signIn } from "../../src/azure/sign-in.js";
import { signedIn } from "../../src/azure/signed-in.js";
import { toFailure } from "../../src/azure/to-failure.js";
import type { Transport } from "../../src/azure/transport.js";
import { currentStep } from "../../src/engine/current-step.js";
import { agentFor, openEmulator } from "../../src/emulator/index.js";
import { readAzureCreds } from "../../src/files/azure-creds.js";
import { givenDocument } from "../../src/files/given-document.js";
import { readInfraOutput } from "../../src/files/infra-output.js";
import { renderedResult, type RenderedResult as Result } from "../../src/cli/run/verification.js";
import type { IdentityChain } from "../../src/verify/identities/chain.js";
import { identityCheckInstances } from "../../src/verify/identities/check-instances.js";
import { linesIn } from "../harness/own-line.js";
import { plainAdvice } from "../harness/plain-advice.js";
import { runChecks } from "../../src/verify/run.js";
import { plainEnvironment, program, startNode, type CliResult } from "../../tools/cli-process.js";
import { placePrivateKey, testKey } from "../cli/signing-keys.js";
import { cli } from "../harness/cli.js";
import { stateTemplate } from "../harness/test-emulator.js";
import { madeOnce } from "../harness/made-once.js";
import { shellWords } from "../harness/shell-words.js";

const base = ["--base-domain", "hcp.example.com", "--dns-zone-rg-name", "dns", "--enable-kms"];
const cluster = ["--cloud", "local", "--name", "demo", "--infra-id", "demo-x7k2"];
const issuer = "https://demo.blob.core.windows.net/demo";

/** Days by which the clock is behind while it is made, and for a command line. */
interface Past {
  readonly daysAgo?: number;
}

export interface HealthyState {
  readonly directory: string;
  /** What `create all` wrote. */
  readonly files: string;
  /** Signed in as who made it all. */
  readonly azure: Azure;
  /** The vault's name. */
  readonly vault: string;
  /** What a verification of it is given; `changes` take the place of that. */
  chain(changes?: Partial<IdentityChain>): Promise<IdentityChain>;
  /** All inspections of such a chain. */
  verify(changes?: Partial<IdentityChain>): Promise<Result[]>;
  /** Runs the command that made it all. */
  createAgain(): Promise<string>;
  /** Runs `aro-hcp` with these words. Throws where it fails. */
  aroHcp(words: readonly string[], past?: Past): Promise<string>;
  /** The same for a line of an advice: "aro-hcp create identities ...". */
  follow(line: string): Promise<string>;
  /** The same for a command line whose exit code is looked at. */
  run(...args: readonly string[]): Promise<CliResult>;
  /** The same where requests are struck by these rules; `timeScale`: so many of Azure's seconds in one. */
  struck(faults: readonly unknown[], args: readonly string[], timeScale?: number): Promise<CliResult>;
}

/** The folder of the world and of the files; left as it was made. */
function originalState(daysAgo: number): Promise<string> {
  return madeOnce(`healthy-${String(daysAgo)}`, async (root) => {
    // The door's own certificate is of today, whenever the rest was made: TLS knows no other clock.
    await cp(await stateTemplate(), join(root, "azure"), { recursive: true });
    await placePrivateKey(join(root, "demo"), testKey());
    await createAll(root, { daysAgo });
  });
}

function createAll(root: string, past: Past = {}): Promise<string> {
  return command(root, ["create", "all", ...cluster, ...base, "--output-dir", join(root, "demo")], past);
}

async function command(root: string, args: readonly string[], past: Past): Promise<string> {
  const { code, stdout, stderr } = await ran(root, args, past);
  if (code !== 0) throw new Error(`aro-hcp ${args.join(" ")} ended with ${String(code)}\n${stderr}${stdout}`);
  return stdout;
}

/** Both the command and the emulator, which is in the same process, see another time. */
function clockBehind(days: number): string {
  const script =
    `const by=${String(days * 86_400_000)};const now=Date.now;Date.now=()=>now()-by;` +
    "globalThis.Date=new Proxy(Date,{construct:(one,given)=>given.length?new one(...given):new one(one.now())});";
  return `--import=data:text/javascript,${encodeURIComponent(script)}`;
}

function ran(root: string, args: readonly string[], { daysAgo = 0 }: Past = {}, more: Readonly<Record<string, string>> = {}) {
  const env = { ...plainEnvironment(root), ARO_HCP_LOCAL_DIR: join(root, "azure"), ARO_HCP_CLOUD: "local", ...more };
  return daysAgo === 0 ? cli(args, { env }) : startNode([program, ...args], { ...env, NODE_OPTIONS: clockBehind(daysAgo) }).ended;
}

/** Gone when the test ends. `environment` is that of the door: a record of its traffic, faults. */
export async function healthyState(environment: Readonly<Record<string, string>> = {}, { daysAgo = 0 }: Past = {}): Promise<HealthyState> {
  const root = await mkdtemp(join(tmpdir(), "aro-hcp-verify-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await cp(await originalState(daysAgo), root, { recursive: true });
  const directory = join(root, "azure");
  const files = join(root, "demo");
  const server = await openEmulator({ directory, environment });
  const agent = agentFor(server);
  onTestFinished(async () => {
    agent.destroy();
    await server.close();
  });
  const { subscriptionId, tenantId, servicePrincipal } = await readAzureCreds(server.credentialsFile);
  const transport: Transport = { clock: scaledClock(server.timeScale), agent, signal: new AbortController().signal, current: currentStep };
  const azure = openAzure({
    ...transport,
    cloud: clouds.local,
    tenantId: tenantId ?? "",
    subscriptionId: subscriptionId ?? "",
    credential: await signIn({ tenantId: tenantId ?? "", ...servicePrincipal }, clouds.local, transport),
    userAgent: "test",
  });
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
    directory,
    files,
    azure,
    vault: vaultIn(await readFile(join(files, "identities.json"), "utf8")),
    chain,
    async verify(changes) {
      const results = await runChecks(identityCheckInstances(azure, await chain(changes)), {
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
      return ran(root, args, {}, { ARO_HCP_LOCAL_FAULTS: path, ARO_HCP_LOCAL_TIME_SCALE: String(timeScale) });
    },
    aroHcp: (words, past = {}) => command(root, words, past),
    follow: (line) => command(root, shellWords(line).slice(1), {}),
  };
}

function vaultIn(text: string): string {
  const { controlPlane } = JSON.parse(text) as { controlPlane: { managedIdentitiesKeyVault: { name: string } } };
  return controlPlane.managedIdentitiesKeyVault.name;
}

/** "secret-exists/cpo failed": what is not as it should be, without what was skipped for it. */
export function findings(results: readonly Result[]): string[] {
  return results
    .filter(({ state }) => state === "failed" || state === "warning")
    .map(({ check, subject, state }) => `${check}/${subject} ${state}`)
    .sort();
}

/** The row of a check. */
export function rowOf(results: readonly Result[], check: string, subject: string): Result {
  const row = results.find((result) => result.check === check && result.subject === subject);
  if (row === undefined) throw new Error(`there is no row ${check}/${subject}`);
  return row;
}

/** The commands in an advice, which stand in backticks. */
export function commandsIn({ next }: Result): string[] {
  return linesIn(next ?? "");
}

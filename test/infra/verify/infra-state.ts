/** A state with a cluster's infrastructure, verified and fixed in this process. Each test may break it. */
import { cp, writeFile } from "node:fs/promises";
import type { Azure } from "../../../src/azure/azure.js";
import { toFailure } from "../../../src/azure/to-failure.js";
import { infraDocument } from "../../../src/infra/infra-document.js";
import { infraOutputFile } from "../../../src/files/infra-output.js";
import { createInfraAdvice, withZoneGroup } from "../../../src/infra/verify-infra.js";
import { infraSpec, type DescribedInfra } from "../../../src/infra/inputs/infra-spec.js";
import { readIdentities, type Identities } from "../../../src/infra/inputs/identities.js";
import { infraFiles, infraToVerify, type IdentityPaths } from "../../../src/infra/inputs/infra-to-verify.js";
import { withRangesAsFound } from "../../../src/infra/verify-infra.js";
import { planSteps, type PlanOptions } from "../../../src/engine/plan.js";
import { applyPlan } from "../../../src/engine/apply-plan.js";
import { hostedPodNetwork, hostedServiceNetwork } from "../../../src/domain/hosted-networks.js";
import { optionsOf } from "../../../src/settings/commands.js";
import { resolveSettings } from "../../../src/settings/resolve.js";
import { infraGraph } from "../../../src/infra/steps/infra.js";
import { renderedResult, type RenderedResult as Result } from "../../../src/run/verification.js";
import { infraCheckInstances } from "../../../src/infra/verify/check-instances.js";
import { zoneGroupIn, type GivenInfra } from "../../../src/infra/verify/snapshot.js";
import { runChecks } from "../../../src/verify/run.js";
import { connectedAzure } from "../../harness/connected-azure.js";
import { plainAdvice } from "../../harness/plain-advice.js";
import { testEmulator, type TestEmulator } from "../../harness/test-emulator.js";
import { madeOnce } from "../../harness/made-once.js";

const cluster = "aro-hcp create infra --name demo --infra-id demo-x7k2 --base-domain hcp.example.com";

/** Flags of create infra, or a function if they name files in the folder of the test. */
export type InfraFlags = string | ((azure: TestEmulator) => Promise<string>);

type Ranges = Partial<Pick<GivenInfra, "podNetworks" | "serviceNetworks">>;

export interface InfraState extends TestEmulator {
  /** The command line that creates the infrastructure. */
  readonly command: string;
  /** Signed in as the principal that created it. */
  readonly azure: Azure;
  /** Verifies with the output file of create infra with `flags`, and with `more` flags of verify infra. */
  verifyFromFile(flags: string, more?: Readonly<Record<string, string>>): Promise<Result[]>;
  /** Verifies everything that `command` creates; `changes` replaces inputs of the verification. */
  verify(changes?: Ranges): Promise<Result[]>;
  /** Runs a command line of create infra. Throws if a step fails or is refused. */
  follow(command: string): Promise<void>;
  /** The same state, with fault rules. */
  struck(faults: readonly unknown[]): Promise<Pick<InfraState, "verify">>;
}

/** `flags` are those of create infra, which is not run yet, except in the directory `prepared`. */
export async function infraState(flags: InfraFlags = "", prepared?: string): Promise<InfraState> {
  const local = await testEmulator({ prepared });
  const azure = await connectedAzure(local.directory);
  const command = createCommand(typeof flags === "string" ? flags : await flags(local));
  const { settings } = await settingsOf(command);
  const verifyWith = async (
    as: Azure,
    described: DescribedInfra & IdentityPaths,
    identities: Identities,
    changes: Ranges = {},
  ): Promise<Result[]> => {
    const spec = infraSpec(described, as.connection.subscriptionId, identities);
    const { steps } = infraGraph(as, spec);
    const plan = await planSteps(steps, options());
    const create = createInfraAdvice(withZoneGroup(described, zoneGroupIn(plan)));
    const given = { spec, plan, create, podNetworks: [hostedPodNetwork], serviceNetworks: [hostedServiceNetwork], ...changes };
    const results = await runChecks(infraCheckInstances(as, steps, given), options());
    return results.map((result) => renderedResult(result, plainAdvice));
  };
  const verifyAs =
    (as: Azure): InfraState["verify"] =>
    async (changes) =>
      verifyWith(as, settings, await readIdentities(settings), changes);
  return {
    ...local,
    azure,
    command,
    verify: verifyAs(azure),
    follow: async (command) => {
      const { settings: followed } = await settingsOf(command);
      const { steps } = infraGraph(azure, infraSpec(followed, azure.connection.subscriptionId, await readIdentities(followed)));
      const plan = await planSteps(steps, options());
      const { ok } = await applyPlan(plan, {
        ...options(),
        command: "create infra",
        subject: followed.infraId,
        pollMs: 1000,
        sleep: azure.connection.clock.sleep,
        warn: () => undefined,
      });
      if (!ok) throw new Error(`${command} failed`);
    },
    async verifyFromFile(flags, more = {}) {
      const path = local.path("infra.json");
      const { settings: followed } = await settingsOf(createCommand(flags));
      const { subscriptionId, tenantId, cloud } = azure.connection;
      const { steps, documented } = infraGraph(azure, infraSpec(followed, subscriptionId, await readIdentities(followed)));
      const { name: clusterName, infraId, baseDomain, location } = followed;
      const known = { cloud: cloud.name, subscriptionId, tenantId, clusterName, infraId, baseDomain, location };
      const document = infraDocument(known, documented, infraOutputFile(path, known));
      for (const { step, output } of (await planSteps(steps, options())).steps) await document.add(step, output?.value);
      const resolved = await resolveSettings("verify infra", { flags: { infraFile: path, ...more }, environment: {}, readConfig });
      const files = await infraFiles(resolved.settings);
      const identities = await readIdentities(followed);
      const { described, rangesUnknown } = infraToVerify(resolved, files.document, files.identityPaths, identities);
      const { document: read } = files;
      return verifyWith(azure, rangesUnknown ? await withRangesAsFound(azure, described, read?.vnetID) : described, identities);
    },
    async struck(faults) {
      const path = local.path("faults.json");
      await writeFile(path, JSON.stringify(faults));
      return { verify: verifyAs(await connectedAzure(local.directory, { ARO_HCP_LOCAL_FAULTS: path })) };
    },
  };
}

/** A copy of a state that `prepare` creates once, by default with create infra and `flags`. */
export async function preparedState(
  name: string,
  flags: InfraFlags = "",
  prepare = (state: InfraState): Promise<unknown> => state.follow(state.command),
): Promise<InfraState> {
  const prepared = await madeOnce(name, async (directory) => {
    const state = await infraState(flags);
    await prepare(state);
    await cp(state.directory, directory, { recursive: true });
  });
  return infraState(flags, prepared);
}

/** The command line of create infra. */
export function createCommand(flags = ""): string {
  return `${cluster} ${flags}`;
}

function options(): Required<PlanOptions> {
  return {
    concurrency: 16,
    signal: new AbortController().signal,
    emit: () => undefined,
    now: () => new Date(),
    elapsedMs: () => performance.now(),
    toFailure,
  };
}

async function settingsOf(command: string) {
  const [, , , ...words] = command.trim().match(/'[^']*'|\S+/g) ?? [];
  const flags: Record<string, string | boolean | string[]> = {};
  for (let index = 0; index < words.length; index += 1) {
    const option = optionsOf("create infra").find(({ flag }) => flag === words[index]);
    if (option === undefined) throw new Error(`create infra has no flag ${words[index] ?? "?"}`);
    if (option.kind === "switch") flags[option.key] = true;
    else {
      index += 1;
      const value = (words[index] ?? "").replace(/^'|'$/g, "");
      const before = flags[option.key];
      flags[option.key] = option.kind === "tags" ? [...(Array.isArray(before) ? before : []), value] : value;
    }
  }
  return resolveSettings("create infra", { flags, environment: {}, readConfig });
}

const readConfig = () => Promise.reject(new Error("no file"));

/** A world with the infrastructure of a cluster, verified and mended in this process: each test breaks in it what it likes. */
import { writeFile } from "node:fs/promises";
import { onTestFinished } from "vitest";
import { openAzure, type Azure } from "../../src/azure/azure.js";
import { clouds } from "../../src/azure/cloud.js";
import { scaledClock } from "../../src/azure/clock.js";
import { signIn } from "../../src/azure/sign-in.js";
import { toFailure } from "../../src/azure/to-failure.js";
import type { Transport } from "../../src/azure/transport.js";
import { infraDocument } from "../../src/cli/outputs/infra-document.js";
import { infraSpec } from "../../src/cli/inputs/infra-spec.js";
import { readIdentities } from "../../src/cli/inputs/identities.js";
import { withRangesAsFound } from "../../src/verify/infra/network-ranges.js";
import { infraFiles, verifiedInfra } from "../../src/cli/inputs/verified-infra.js";
import { agentFor, openEmulator } from "../../src/emulator/index.js";
import { currentStep } from "../../src/engine/current-step.js";
import { planSteps, type PlanOptions } from "../../src/engine/plan.js";
import { runPlan } from "../../src/engine/run.js";
import { readAzureCreds } from "../../src/files/azure-creds.js";
import { hostedPodNetwork, hostedServiceNetwork } from "../../src/domain/hosted-networks.js";
import type { InfraSpec } from "../../src/domain/spec.js";
import { optionsOf } from "../../src/settings/commands.js";
import { resolveSettings } from "../../src/settings/resolve.js";
import { infraGraph } from "../../src/steps/infra.js";
import type { Result } from "../../src/verify/check.js";
import { infraCheckInstances } from "../../src/verify/infra/check-instances.js";
import type { GivenInfra } from "../../src/verify/infra/snapshot.js";
import { runChecks } from "../../src/verify/run.js";
import { localAzure, type LocalAzure } from "../harness/local-azure.js";

const cluster = "aro-hcp create infra --name demo --infra-id demo-x7k2 --base-domain hcp.example.com";

export interface InfraState extends LocalAzure {
  /** Signed in as who made it. */
  readonly azure: Azure;
  /** Verified from an output file that says what create infra with `flags` made, and from `more` flags of verify infra. */
  verifyFromFile(flags: string, more?: Readonly<Record<string, string>>): Promise<Result[]>;
  /** Everything that create infra with `flags` would make, and `changes` in place of what the verification is given. */
  verify(changes?: Partial<Omit<GivenInfra, "plan">>): Promise<Result[]>;
  /** Carries a command line of create infra out. Throws where a step fails or is refused. */
  follow(command: string): Promise<void>;
  /** The same world, where requests are struck by these rules. */
  struck(faults: readonly unknown[]): Promise<Pick<InfraState, "verify">>;
}

/** `flags`: of create infra, which is not run yet. `seed` comes before. */
export async function infraState(flags = ""): Promise<InfraState> {
  const local = await localAzure();
  const azure = await connect(local, {});
  const { settings } = await settingsOf(`${cluster} ${flags}`);
  const verifyAs =
    (as: Azure): InfraState["verify"] =>
    async (changes = {}) => {
      const { spec: changed, ...others } = changes;
      const wanted = infraSpec(settings, as.connection.subscriptionId, await readIdentities(settings));
      const spec: InfraSpec = changed ?? wanted;
      const { steps } = infraGraph(as, spec);
      const given = {
        spec,
        plan: await planSteps(steps, options()),
        podNetworks: [hostedPodNetwork],
        serviceNetworks: [hostedServiceNetwork],
        identityPaths: settings,
        ...others,
      };
      return runChecks(infraCheckInstances(as, steps, given), options());
    };
  return {
    ...local,
    azure,
    verify: verifyAs(azure),
    follow: async (command) => {
      const { settings: followed } = await settingsOf(command);
      const { steps } = infraGraph(azure, infraSpec(followed, azure.connection.subscriptionId, await readIdentities(followed)));
      const plan = await planSteps(steps, options());
      const { ok } = await runPlan(plan, {
        ...options(),
        command: "create infra",
        infraId: followed.infraId,
        pollMs: 1000,
        sleep: azure.connection.clock.sleep,
      });
      if (!ok) throw new Error(`${command} failed`);
    },
    async verifyFromFile(flags, more = {}) {
      const path = local.path("infra.json");
      const { settings: followed } = await settingsOf(made(flags));
      const { subscriptionId, tenantId, cloud } = azure.connection;
      const { steps, documented } = infraGraph(azure, infraSpec(followed, subscriptionId, await readIdentities(followed)));
      const { name: clusterName, infraId, baseDomain, location } = followed;
      const known = { cloud: cloud.name, subscriptionId, tenantId, clusterName, infraId, baseDomain, location };
      const document = infraDocument(known, documented, path);
      for (const { step, output } of (await planSteps(steps, options())).steps) await document.add(step, output?.value);
      const resolved = await resolveSettings("verify infra", { flags: { infraJson: path, ...more }, environment: {}, readConfig });
      const files = await infraFiles(resolved.settings);
      const { spec, rangesUnknown } = verifiedInfra(resolved, files.document, subscriptionId, await readIdentities(followed));
      return verifyAs(azure)({ spec: rangesUnknown ? await withRangesAsFound(azure, spec, files.document?.vnetID) : spec });
    },
    async struck(faults) {
      const path = local.path("faults.json");
      await writeFile(path, JSON.stringify(faults));
      return { verify: verifyAs(await connect(local, { ARO_HCP_LOCAL_FAULTS: path })) };
    },
  };
}

/** The command that the world's infrastructure is made with. */
export function made(flags = ""): string {
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
    if (option === undefined) throw new Error(`create infra has no ${words[index] ?? "?"}`);
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

async function connect({ directory }: LocalAzure, environment: Readonly<Record<string, string>>): Promise<Azure> {
  const server = await openEmulator({ directory, environment });
  const agent = agentFor(server);
  onTestFinished(async () => {
    agent.destroy();
    await server.close();
  });
  const { subscriptionId = "", tenantId = "", servicePrincipal } = await readAzureCreds(server.credentialsFile);
  const transport: Transport = { clock: scaledClock(server.timeScale), agent, current: currentStep };
  const credential = await signIn({ tenantId, ...servicePrincipal }, clouds.local, transport);
  return openAzure({ ...transport, cloud: clouds.local, tenantId, subscriptionId, credential, userAgent: "test" });
}

/** A state with an AKS cluster, verified through the command line. It is created once; each test may break its copy. */
import { cp } from "node:fs/promises";
import type { ClusterKind } from "../../../src/domain/cluster-kind.js";
import type { Azure } from "../../../src/azure/azure.js";
import type { RenderedResult as Result } from "../../../src/run/verification.js";
import { exits } from "../../cli/expectations.js";
import { connectedAzure } from "../../harness/connected-azure.js";
import { madeOnce } from "../../harness/made-once.js";
import { shellWords } from "../../harness/shell-words.js";
import { testEmulator, type CliOptions, type TestEmulator } from "../../harness/test-emulator.js";
import type { AdvisedState } from "../../verify/advice.js";

/** In Azure, operations on an AKS cluster take minutes. */
const faster: CliOptions = { env: { ARO_HCP_LOCAL_TIME_SCALE: "1000" } };

export interface AksScenario {
  readonly title: string;
  readonly kind: ClusterKind;
  readonly name: string;
  /** What must exist before the create. */
  readonly prepare?: (azure: TestEmulator) => Promise<unknown>;
  /** Flags of the create. */
  readonly flags?: readonly string[];
}

export interface AksState extends TestEmulator, AdvisedState {
  readonly azure: Azure;
  /** `faults`: rules of the emulator for this run. */
  verify(flags?: readonly string[], faults?: readonly object[]): Promise<Result[]>;
}

/** In the directory of the emulator, which is copied with it. */
const file = "cluster.json";

export async function aksState(scenario: AksScenario): Promise<AksState> {
  const { kind, name } = scenario;
  const named = ["--cloud", "local", "--name", name];
  const prepared = await madeOnce(`aks: ${scenario.title}`.replace(/\W+/g, "-"), async (directory) => {
    const emulator = await testEmulator();
    await scenario.prepare?.(emulator);
    const { flags = [] } = scenario;
    exits(await emulator.cli(["create", kind, ...named, "--yes", "--output-file", `${emulator.directory}/${file}`, ...flags], faster), 0);
    await cp(emulator.directory, directory, { recursive: true });
  });
  const emulator = await testEmulator({ prepared });
  const azure = await connectedAzure(emulator.directory);
  // The checks in the cluster need none of its settings.
  const documentFor = (flags: readonly string[]) =>
    flags.includes("--kubeconfig") ? [] : [`--${kind}-json`, `${emulator.directory}/${file}`];
  return {
    ...emulator,
    azure,
    async verify(flags = [], faults) {
      const args = ["verify", kind, ...named, ...documentFor(flags), "--output", "json", ...flags];
      const { stdout, stderr } = await emulator.cli(args, { ...faster, ...(faults && { faults }) });
      if (!stdout.includes('"results"')) throw new Error(`${stdout}${stderr}`);
      return (JSON.parse(stdout) as { readonly results: Result[] }).results;
    },
    follow: async (line) => exits(await emulator.cli([...shellWords(line).slice(1), "--yes"], faster), 0).stdout,
  };
}

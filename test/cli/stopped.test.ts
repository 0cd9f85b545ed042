/** Commands that are stopped while they read Azure: the exit code and the reason are those of the stop, and nothing of the run goes on. */
import { mkdir, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { systemClock, type SystemClock } from "../../src/azure/clock.js";
import { commandNames, takes, type CommandName } from "../../src/settings/commands.js";
import {
  clusterFlags,
  createIamFlags,
  createZoneFlags,
  domainFlags,
  fleetFlags,
  iamFlags,
  setFlags,
  wholeFlags,
  writeDemoFiles,
  zoneFlags,
} from "../../tools/demo-cluster.js";
import { startCli, type RunningCli } from "../harness/cli.js";
import { realTime, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { exits, writesSince } from "./expectations.js";
import { publicFile, testKey } from "../issuer/signing-keys.js";

type Flags = (azure: TestEmulator) => readonly string[] | Promise<readonly string[]>;

const named = ["--cloud", "local", "--name", "demo"];
const extension = ["--extension-type", "key-vault"];

/** What each command that connects needs to read Azure. */
const connecting: Partial<Record<CommandName, Flags>> = {
  "create infra": () => [...clusterFlags, ...domainFlags, "--yes"],
  "destroy infra": () => [...clusterFlags, "--yes"],
  "adopt infra": () => [...clusterFlags, "--yes"],
  "show infra": () => [...clusterFlags, ...domainFlags],
  "create fleet": (azure) => [...fleetFlags(azure.path("fleet")), "--yes"],
  "verify fleet": (azure) =>
    fleetFlags(azure.path("fleet"), { managedIdentitiesFile: writeDemoFiles(azure.path("ids")).managedIdentities }),
  "destroy fleet": (azure) => [...fleetFlags(azure.path("fleet")), "--yes"],
  "verify estate": () => ["--cloud", "local"],
  budget: () => ["--cloud", "local"],
  list: () => ["--cloud", "local"],
  audit: () => ["--cloud", "local"],
  sweep: () => ["--cloud", "local", "--yes", "--max", "1"],
  "show all": () => [...clusterFlags, ...domainFlags],
  "verify all": async (azure) => {
    await mkdir(azure.path("demo"));
    await writeFile(azure.path("demo/infra.json"), JSON.stringify({ name: "demo", infraID: "demo-x7k2", baseDomain: "hcp.example.com" }));
    const files = ["--managed-identities-file", writeDemoFiles(azure.path("ids")).managedIdentities];
    return [...clusterFlags, "--input-dir", azure.path("demo"), ...files];
  },
  "verify infra": () => [...clusterFlags, ...domainFlags],
  "create identities": () => [...setFlags, "--oidc-issuer-url", "https://issuer.example.com/demo", "--yes"],
  "destroy identities": () => [...setFlags, "--yes"],
  "show identities": () => setFlags,
  "verify identities": (azure) => ["--cloud", "local", "--managed-identities-file", writeDemoFiles(azure.path("ids")).managedIdentities],
  "rotate credentials": () => [...setFlags, "--yes"],
  "create encryption-key": () => [...setFlags, "--yes"],
  "rotate encryption-key": () => [...setFlags, "--yes"],
  "show encryption-key": () => setFlags,
  "destroy encryption-key": () => [...setFlags, "--yes"],
  "create oidc-issuer": async (azure) => [...named, "--public-key-file", await publicFile(azure.path("keys"), testKey()), "--yes"],
  "adopt oidc-issuer": () => [...named, "--yes"],
  "destroy oidc-issuer": () => [...named, "--yes"],
  "create all": (azure) => [...wholeFlags, "--output-dir", azure.path("demo"), "--yes"],
  "destroy all": () => [...clusterFlags, "--yes"],
  doctor: () => ["--cloud", "local"],
  ...forBothKinds("create", () => [...named, "--yes"]),
  ...forBothKinds("destroy", () => [...named, "--yes"]),
  ...forBothKinds("show", () => named),
  ...forBothKinds("verify", () => named),
  ...forBothKinds("doctor", () => named),
  "create arc": (azure) => [...named, "--output-dir", azure.path("arc"), "--yes"],
  "destroy arc": () => [...named, "--yes"],
  "show arc": () => named,
  "verify arc": () => named,
  "wait arc": () => named,
  "create arc extension": () => [...named, ...extension, "--yes"],
  "destroy arc extension": () => [...named, ...extension, "--yes"],
  "show arc extension": () => [...named, ...extension],
  "create arc secrets": () => [...named, "--yes"],
  "create iam": () => [...createIamFlags, "--yes"],
  "destroy iam": () => [...iamFlags, "--yes"],
  "adopt iam": () => [...iamFlags, "--yes"],
  "show iam": () => iamFlags,
  "create dns-zone": () => [...createZoneFlags, "--yes"],
  "destroy dns-zone": () => [...zoneFlags, "--yes"],
  "show dns-zone": () => zoneFlags,
  "verify dns-zone": () => zoneFlags,
};

type Verb = "create" | "destroy" | "show" | "verify" | "doctor";

function forBothKinds(verb: Verb, flags: Flags): Partial<Record<CommandName, Flags>> {
  return { [`${verb} management-cluster`]: flags, [`${verb} service-cluster`]: flags };
}

test("the table has every command that connects", () => {
  const all = commandNames.filter((command) => takes(command, "cloud") && takes(command, "timeout"));
  expect(Object.keys(connecting).toSorted()).toEqual(all.toSorted());
});

const commands = Object.entries(connecting);

/** Every response takes this long, so that a command ends between its sign-in and its last read. */
const slow = [{ delay: 0.3, times: 100_000 }];

test.each(commands)("%s ends at the time limit with exit code 1 and without a write", async (command, flags) => {
  const azure = await testEmulator({ env: realTime });
  const args = [...command.split(" "), ...(await flags(azure)), "--timeout", "450ms"];
  const { stderr } = exits(await azure.cli(args, { faults: slow }), 1);
  expect(stderr).toContain("ARO-RUN-001");
  expect(stderr).not.toMatch(/ARO-(?!RUN)/);
  expect(await writesSince(azure)).toEqual([]);
});

async function startedSlow(azure: TestEmulator, args: readonly string[]): Promise<RunningCli> {
  const faults = azure.path("slow.json");
  await writeFile(faults, JSON.stringify(slow));
  return startCli([...args, "--debug"], {
    env: { HOME: azure.path("."), ARO_HCP_LOCAL_DIR: azure.directory, ARO_HCP_LOCAL_FAULTS: faults },
  });
}

test.each(["show infra", "create infra", "destroy all", "verify identities"] as const)(
  "Ctrl-C, SIGTERM and SIGHUP while %s reads Azure end it with their exit codes, and it says that nothing was changed",
  async (command) => {
    const azure = await testEmulator();
    for (const [signal, code, reason] of [
      ["SIGINT", 130, "ARO-RUN-004"],
      ["SIGTERM", 143, "ARO-RUN-005"],
      ["SIGHUP", 143, "ARO-RUN-005"],
    ] as const) {
      const running = await startedSlow(azure, [...command.split(" "), ...((await connecting[command]?.(azure)) ?? [])]);
      await expect.poll(() => running.stderr()).toContain("debug: ");
      running.signal(signal);
      const { stderr } = exits(await running.ended, code);
      expect(stderr).toContain(reason);
      expect(stderr).toMatch(/error: (?:interrupted|terminated); nothing was changed /);
      expect(stderr).not.toContain("Azure finishes");
    }
  },
);

const longestMs = 3_600_000;

/** A clock whose waits end only when they are aborted, and the number of those that have not ended. */
function watchedClock(): { readonly clock: SystemClock; waits(): number } {
  let waits = 0;
  const sleep: SystemClock["sleep"] = async (_ms, signal) => {
    waits += 1;
    try {
      await systemClock.sleep(longestMs, signal);
    } finally {
      waits -= 1;
    }
  };
  return { clock: { ...systemClock, sleep }, waits: () => waits };
}

test.each([
  ["a lost connection at sign-in", { host: "login.microsoftonline.com", reset: true }],
  ["throttling", { method: "GET", answer: { status: 429, body: { error: { code: "TooManyRequests", message: "wait" } } } }],
])("a command that is stopped during %s retries nothing afterwards, and the stop is its reason", async (_title, rule) => {
  const azure = await testEmulator();
  const faults = azure.path("faults.json");
  await writeFile(faults, JSON.stringify([{ ...rule, times: 100_000 }]));
  const { clock, waits } = watchedClock();
  const env = { HOME: azure.path("."), ARO_HCP_LOCAL_DIR: azure.directory, ARO_HCP_LOCAL_FAULTS: faults, ARO_HCP_LOCAL_TIME_SCALE: "1" };
  const running = startCli(["create", "infra", ...clusterFlags, ...domainFlags, "--dry-run"], { env, clock });
  await expect.poll(() => waits()).toBeGreaterThan(0);
  running.signal("SIGINT");
  const { stderr } = exits(await running.ended, 130);
  expect(stderr).toContain("ARO-RUN-004");
  // Promises of ended waits settle one after another.
  await new Promise(setImmediate);
  expect(waits()).toBe(0);
});

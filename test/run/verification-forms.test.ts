/** `--output junit` and `--output sarif` of verify and doctor, as pipelines read them. */
import { describe, expect, test } from "vitest";
import { commandNames, optionsOf } from "../../src/settings/commands.js";
import { deleteResources } from "../harness/state-changes.js";
import { demo, demoDomain, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { parseXml, type XmlElement } from "../harness/xml.js";
import { ids } from "../cli/demo-cluster.js";
import { create, exits } from "../cli/expectations.js";
import { fileOf } from "../identities/cli/identities.js";

interface Results {
  readonly counts: Readonly<Record<"passed" | "failed" | "warning" | "skipped", number>>;
  readonly results: readonly { readonly check: string; readonly subject: string; readonly state: string; readonly evidence: string }[];
}

interface Sarif {
  readonly version: string;
  readonly runs: readonly [
    {
      readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
      readonly invocations: readonly [
        { readonly executionSuccessful: boolean; readonly exitCode: number; readonly toolExecutionNotifications: object[] },
      ];
      readonly results: readonly {
        readonly ruleId: string;
        readonly ruleIndex: number;
        readonly level: string;
        readonly message: { readonly text: string };
        readonly locations: readonly [object];
      }[];
    },
  ];
}

/** A cluster whose private zone is not linked to its network. */
async function brokenCluster() {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  await deleteResources(azure, ids.link);
  const json = JSON.parse(exits(await verify(azure, "json"), 6).stdout) as Results;
  return { azure, json };
}

function verify(azure: TestEmulator, form: string, flags: readonly string[] = []) {
  return azure.cli(["verify", "infra", ...demo, "--output", form, ...flags]);
}

const outcomeOf = ({ children: [outcome] }: XmlElement) => outcome?.name ?? "passed";

describe("JUnit", () => {
  test("has a test case for each check of a subject, and the text is on standard error", async () => {
    const { azure, json } = await brokenCluster();
    const { stdout, stderr } = exits(await verify(azure, "junit"), 6);
    const suites = parseXml(stdout);
    const [suite] = suites.children;
    const suiteName = "verify infra: infrastructure of demo (demo-x7k2)";
    expect([suites.name, suite?.name]).toEqual(["testsuites", "testsuite"]);
    const { passed, failed, warning, skipped } = json.counts;
    const totals = { tests: String(json.results.length), failures: String(failed), errors: "0", skipped: String(skipped) };
    expect(suites.attributes).toEqual({ name: "aro-hcp", ...totals });
    expect(suite?.attributes).toEqual({ name: suiteName, ...totals });
    const cases = suite?.children ?? [];
    expect(cases.map(({ attributes }) => attributes)).toEqual(
      json.results.map(({ check, subject }) => ({ classname: suiteName, name: `${check} of ${subject}` })),
    );
    const wanted = { passed: "passed", warning: "system-out", failed: "failure", skipped: "skipped" };
    expect(cases.map(outcomeOf)).toEqual(json.results.map(({ state }) => wanted[state as keyof typeof wanted]));
    expect(passed + warning).toBeGreaterThan(0);
    const broken = json.results.find(({ state }) => state === "failed");
    const failure = cases.find((one) => outcomeOf(one) === "failure")?.children[0];
    expect(failure?.attributes).toEqual({ type: broken?.check, message: broken?.evidence });
    expect(failure?.text).toMatch(/^expected: .*\nfound: .*\nnext: .*aro-hcp create infra/s);
    expect(stderr).toContain(`${String(failed)} failed`);
  });

  test("has the error of a command that had no results, also of a wrong flag", async () => {
    const azure = await testEmulator();
    for (const flags of [["--cloud", "local"], ["--no-such-flag"], ["--only", 'a<b>&"c"']]) {
      const { stdout, stderr } = exits(await azure.cli(["verify", "infra", ...flags, "-o", "junit"]), 2);
      const suites = parseXml(stdout);
      expect(suites.attributes).toMatchObject({ failures: "0", errors: "1" });
      const error = suites.children[0]?.children[0]?.children[0];
      expect(error).toMatchObject({ name: "error", attributes: { type: "ARO-USAGE-001" } });
      expect(stderr).toContain("[ARO-USAGE-001]");
    }
  });
});

describe("SARIF", () => {
  test("has a result for each finding, with its rule, and the place of the configuration file", async () => {
    const { azure, json } = await brokenCluster();
    const config = await fileOf(azure, "a b.yaml", "cloud: local\nname: demo\ninfraId: demo-x7k2\nverify infra: { output: sarif }\n");
    const { stdout, stderr } = exits(await azure.cli(["verify", "infra", "--config", config]), 6);
    const { version, runs } = JSON.parse(stdout) as Sarif;
    expect(version).toBe("2.1.0");
    const { tool, results, invocations } = runs[0];
    const findings = json.results.filter(({ state }) => state === "failed" || state === "warning");
    expect(results.map(({ ruleId, level }) => [ruleId, level])).toEqual(
      findings.map(({ check, state }) => [check, state === "failed" ? "error" : "warning"]),
    );
    for (const { ruleId, ruleIndex, locations } of results) {
      expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
      expect(locations[0]).toMatchObject({
        physicalLocation: { artifactLocation: { uri: expect.stringMatching(/a%20b\.yaml$/) as string } },
      });
    }
    expect(results[0]?.message.text).toMatch(/\nnext: /);
    expect(invocations[0]).toMatchObject({ executionSuccessful: true, exitCode: 6 });
    expect(invocations[0].toolExecutionNotifications).toHaveLength(json.counts.skipped);
    expect(stderr).toContain(`${String(json.counts.failed)} failed`);
  });

  test("has the error of a command that had no results", async () => {
    const azure = await testEmulator();
    const { stdout } = exits(await azure.cli(["doctor", "--location", "East US", "--output", "sarif"]), 2);
    const { invocations, results } = (JSON.parse(stdout) as Sarif).runs[0];
    expect(results).toEqual([]);
    expect(invocations[0]).toMatchObject({
      executionSuccessful: false,
      exitCode: 2,
      toolExecutionNotifications: [{ level: "error", descriptor: { id: "ARO-USAGE-001" } }],
    });
  });

  test("of the doctor has no result if everything passes", async () => {
    const azure = await testEmulator();
    const { stdout } = exits(await azure.cli(["doctor", "infra", ...demo, ...demoDomain, "-o", "sarif"]), 0);
    expect((JSON.parse(stdout) as Sarif).runs[0].results).toEqual([]);
  });
});

test("verify and doctor have these forms, and no other command", () => {
  const withForms = commandNames.filter((name) =>
    optionsOf(name).some(({ key, choices }) => key === "output" && choices?.includes("junit")),
  );
  // The results of a fleet are those of its verifications, too.
  expect(withForms).toEqual(commandNames.filter((name) => /^(verify|doctor)\b|^show fleet$/.test(name)));
});

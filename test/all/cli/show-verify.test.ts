/** `show all` and `verify all`: a cluster and its identities in one result. */
import { expect, test } from "vitest";
import { clusterFlags, wholeFlags } from "../../../tools/demo-cluster.js";
import { exits } from "../../cli/expectations.js";
import { changeState } from "../../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../../harness/test-emulator.js";

async function created(): Promise<TestEmulator> {
  const azure = await testEmulator();
  exits(await azure.cli(["create", "all", ...wholeFlags, "--output-dir", azure.path("demo"), "--yes"]), 0);
  return azure;
}

interface Checked {
  readonly counts: Readonly<Record<string, number>>;
  readonly results: readonly { readonly check: string; readonly subject: string; readonly state: string }[];
}

function nameOf({ check, subject }: Checked["results"][number]): string {
  return `${check}/${subject}`;
}

test("verify all makes the checks of both, and selects among both", async () => {
  const azure = await created();
  const verify = ["verify", "all", "--cloud", "local", "--input-dir", azure.path("demo"), "-o", "json"];
  const results = async (code: number, ...flags: readonly string[]) =>
    (JSON.parse(exits(await azure.cli([...verify, ...flags]), code).stdout) as Checked).results;
  const of = async (noun: string) => (JSON.parse((await azure.cli([...verify.with(1, noun)])).stdout) as Checked).results.map(nameOf);
  // Both check the set of the identity files.
  const both = [...new Set([...(await of("infra")), ...(await of("identities"))])];
  expect((await results(0)).map(nameOf)).toEqual(both);
  expect(new Set((await results(0, "--only", "sign-in,resource-exists")).map(({ check }) => check))).toEqual(
    new Set(["resource-exists", "sign-in"]),
  );
  await changeState(azure, ({ resources }) => {
    for (const id of Object.keys(resources)) if (/loadbalancers/i.test(id)) Reflect.deleteProperty(resources, id);
  });
  const failed = (await results(6)).filter(({ state }) => state === "failed");
  expect(failed.map(({ check }) => check)).toContain("resource-exists");
});

test("show all shows the resources and the identities, as a document too", async () => {
  const azure = await created();
  const text = exits(await azure.cli(["show", "all", ...clusterFlags]), 0).stdout;
  expect(text).toMatch(/^RESOURCE +STATE +DRIFT\n/);
  expect(text).toMatch(/\n\nCOMPONENT +CLIENT ID +STATE +EXPIRES/);
  const { stdout: narrow } = exits(await (await azure.startCli(["show", "all", ...clusterFlags, "--color", "never"])).ended, 0);
  const lines = narrow.split("\n");
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines.filter((line) => line.startsWith("    "))).toEqual([]);
  const document = JSON.parse(exits(await azure.cli(["show", "all", ...clusterFlags, "-o", "json"]), 0).stdout) as Record<
    string,
    unknown[]
  >;
  expect(document["name"]).toBe("demo");
  expect(document["resources"]).toHaveLength(10);
  expect(document["controlPlane"]).toHaveLength(8);
  expect(document["dataPlane"]).toHaveLength(3);
  await changeState(azure, ({ resources }) => {
    for (const id of Object.keys(resources)) if (/loadbalancers/i.test(id)) Reflect.deleteProperty(resources, id);
  });
  exits(await azure.cli(["show", "all", ...clusterFlags, "--exit-code"]), 7);
});

test("show all of a cluster that uses a shared set shows that set", async () => {
  const azure = await testEmulator();
  const shared = ["--identities-name", "shared", "--output-dir", azure.path("demo"), "--yes"];
  exits(await azure.cli(["create", "all", ...wholeFlags, ...shared]), 0);
  const document = JSON.parse(exits(await azure.cli(["show", "all", ...clusterFlags, "-o", "json"]), 0).stdout) as {
    readonly controlPlane: readonly { readonly secretName: string }[];
  };
  expect(document.controlPlane.map(({ secretName }) => secretName)).toContain("shared-cpo");
});

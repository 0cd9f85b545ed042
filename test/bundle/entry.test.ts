/** The entry file and the modules that it loads. */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { afterAll, expect, test } from "vitest";
import { loadedModules } from "../../tools/bench-modules.js";
import { readRecord } from "../../tools/bundle/build.js";
import { helpTexts } from "../../tools/bundle/help-texts.js";
import { plainEnvironment, program, startNode } from "../../tools/cli-process.js";
import type { ProcessPort } from "../../src/run/process-port.js";
import { cli, fakeProcess } from "../harness/cli.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const { path: home } = temporaryDirectory(afterAll);
const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly engines: { readonly node: string } };
const needed = engines.node.replace(">=", "");

/** Runs the program on a Node.js that claims to be this version. */
function startedBy(version: string) {
  const claim = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`;
  return startNode([`--import=data:text/javascript,${encodeURIComponent(claim)}`, program, "--version"], plainEnvironment(home)).ended;
}

test("on a Node.js that is too old, one line names the required version", async () => {
  const [major = 0, minor = 0] = needed.split(".").map(Number);
  for (const old of [`${String(major)}.${String(minor - 1)}.9`, `${String(major - 2)}.99.0`]) {
    const { code, stderr, stdout } = await startedBy(old);
    expect(code).toBe(1);
    expect(stderr).toBe(`error: aro-hcp needs Node ${needed} or later; this is Node ${old}\n`);
    expect(stdout).toBe("");
  }
  expect(await startedBy(`${needed}.0`)).toMatchObject({ code: 0, stderr: "" });
});

test("the built help of every command is what the program prints for it", async () => {
  const texts = await helpTexts();
  expect(texts.map(([file]) => file)).toEqual(expect.arrayContaining(["help.txt", "help/create.txt", "help-all/create/infra.txt"]));
  for (const [file, text] of texts) {
    const [form = "", ...words] = file.replace(/\.txt$/, "").split("/");
    expect(readFileSync(`dist/${file}`, "utf8")).toBe(text);
    expect(await cli([...words, `--${form}`], { tty: { columns: 120, rows: 40 } })).toEqual({ code: 0, stdout: text, stderr: "" });
  }
});

/** What the built program prints on a terminal of this width. */
async function printed(args: readonly string[], columns: number): Promise<string> {
  const bundle = createRequire(import.meta.url)("../../dist/main.cjs") as { readonly main: (port: ProcessPort) => Promise<number> };
  const { port, stdout } = fakeProcess(args, { tty: { columns, rows: 40 } });
  await bundle.main(port);
  return stdout();
}

test("the program prints the built help only for the words of a command, and not on a narrow terminal", async () => {
  const [root, infra] = ["dist/help.txt", "dist/help/create/infra.txt"].map((file) => readFileSync(file, "utf8"));
  expect(await printed(["create", "infra", "-h"], 80)).toBe(infra);
  expect(await printed(["create/infra", "--help"], 80)).toBe("");
  expect(await printed(["--help"], 80)).toBe(root);
  const narrow = await printed(["create", "infra", "--help"], 79);
  expect(narrow).toBe((await cli(["create", "infra", "--help"], { tty: { columns: 79, rows: 40 } })).stdout);
  expect(narrow).not.toBe(infra);
});

test("help, --help-all and --version load no file of the bundle but the entry", async () => {
  const entry = Object.entries(readRecord()?.chunks ?? {}).find(([file]) => file === "main.cjs")?.[1] ?? [];
  expect(entry).not.toContain("src/cli/program.ts");
  const preload = `${home}/loads.cjs`;
  writeFileSync(preload, 'process.on("exit", () => console.error(Object.keys(require.cache).join("\\n")))');
  for (const args of [["--help"], ["help"], ["create", "infra", "--help-all"], ["help", "create", "infra"], ["--version"]]) {
    const { code, stderr, stdout } = await startNode(["--require", preload, program, ...args], plainEnvironment(home)).ended;
    const loaded = stderr.split("\n").filter((file) => file.includes("/dist/"));
    expect({ args, code, loaded }).toEqual({
      ...{ args, code: 0 },
      // The hash in the name is base64url.
      loaded: [expect.stringMatching(/\/main\.cjs$/), expect.stringMatching(/\/entry-[\w-]+\.cjs$/)],
    });
    expect(stdout).not.toBe("");
  }
});

test("the stack of --debug shows lines of src, and without --debug there is no stack", async () => {
  const args = [program, "create", "infra", "--config", `${home}/absent.yaml`];
  const { stderr } = await startNode([...args, "--debug"], plainEnvironment(home)).ended;
  const [frame = "", line = ""] = /at (?:\w+\.)?\w+ \(src\/settings\/resolve\.ts:(\d+):\d+\)/.exec(stderr) ?? [];
  expect(frame, stderr).not.toBe("");
  expect(readFileSync("src/settings/resolve.ts", "utf8").split("\n")[Number(line) - 1]).toContain("new Failure(");
  expect(stderr).not.toContain("dist/");
  expect((await startNode(args, plainEnvironment(home)).ended).stderr).not.toContain("resolve.ts");
});

test("a create against a served emulator loads only the client of the emulator", async () => {
  const { byPlace } = await loadedModules(home);
  const emulator = byPlace.get("src/emulator") ?? 0;
  expect(emulator).toBeGreaterThan(0);
  // The emulator itself has more than a hundred.
  expect(emulator).toBeLessThan(20);
  expect(byPlace.get("@azure/arm-network")).toBeGreaterThan(0);
  for (const place of ["@kubernetes/client-node", "node-forge", "@azure/storage-blob"]) expect(byPlace.has(place)).toBe(false);
});

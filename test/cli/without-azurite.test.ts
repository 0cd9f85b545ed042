/** The emulator as a production install has it: Azurite, which keeps its blobs, is left out. */
import { cp, mkdir, readdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { plainEnvironment, program, startNode } from "../../tools/cli-process.js";
import { temporaryDirectory } from "../files/temporary-directory.js";
import { demo, demoDomain, localAzure, type CliResult, type LocalAzure } from "../harness/local-azure.js";
import { exits } from "./expectations.js";
import { placePrivateKey, publicFile, testKey } from "./signing-keys.js";

const here = fileURLToPath(new URL("../..", import.meta.url));
const { path: install } = temporaryDirectory();
const key = testKey();

beforeAll(async () => {
  for (const part of ["bin", "dist", "package.json"]) await cp(join(here, part), join(install, part), { recursive: true });
  await mkdir(join(install, "node_modules"));
  const modules = (await readdir(join(here, "node_modules"))).filter((name) => name !== "azurite" && !name.startsWith("."));
  for (const name of modules) await symlink(join(here, "node_modules", name), join(install, "node_modules", name));
});

function run(azure: LocalAzure, args: readonly string[]): Promise<CliResult> {
  const env = { ...plainEnvironment(dirname(azure.directory)), ARO_HCP_LOCAL_DIR: azure.directory };
  return startNode([join(install, program), ...args], env).ended;
}

test("what needs blobs says what to install before anything is made; what needs none goes on", async () => {
  const azure = await localAzure();
  const before = await azure.snapshot();
  const cluster = [...demo, ...demoDomain];
  await placePrivateKey(azure.path("demo"), key);
  const keyFile = await publicFile(azure.path("keys"), key);
  for (const args of [
    ["create", "oidc-issuer", "--cloud", "local", "--name", "demo", "--public-key-file", keyFile],
    ["create", "all", ...cluster, "--dns-zone-rg-name", "dns", "--output-dir", azure.path("demo")],
  ]) {
    const { stderr } = exits(await run(azure, args), 5);
    expect(stderr).toContain("ARO-LOCAL-003");
    expect(stderr).toContain("npm install azurite@");
    expect(await azure.snapshot()).toEqual(before);
  }
  exits(await run(azure, ["create", "infra", ...cluster, "--dry-run"]), 0);
});

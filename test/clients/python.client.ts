/** Azure's SDKs for Python, as installed, on what `create all` makes. program.py has the calls. */
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { absent, runProgram, serveCluster } from "./served-cluster.js";

const program = fileURLToPath(new URL("program.py", import.meta.url));
const python = await withSdks();

/** A Python that has the SDKs: the one in `PATH`, or the system's, for which packages of a distribution are. */
async function withSdks(): Promise<string | undefined> {
  for (const candidate of ["python3", "/usr/bin/python3"]) {
    const { code } = await runProgram(candidate, ["-c", "import azure.identity, azure.mgmt.resource"], process.env);
    if (code === 0) return candidate;
  }
  return undefined;
}

const lack = python === undefined ? absent("azure-identity or azure-mgmt-resource is not installed") : "";

test.skipIf(python === undefined)(`Azure's SDKs for Python ${lack}`.trim(), async () => {
  const { environment } = await serveCluster(onTestFinished);
  const { code, stdout, stderr } = await runProgram(python ?? "", ["-W", "ignore", program], environment);
  console.log(stdout);
  expect(`${stdout.replace(/^(ok|skipped: ).*\n/gm, "")}${stderr}`).toBe("");
  expect(code).toBe(0);
});

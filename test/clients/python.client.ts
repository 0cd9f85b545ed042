/** Azure's SDKs for Python, as installed, on what `create all` makes. program.py has the calls. */
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { areRequired, pythonWith, runProgram, serveCluster } from "./served-cluster.js";

const program = fileURLToPath(new URL("program.py", import.meta.url));
const python = await pythonWith("azure-identity or azure-mgmt-resource", "import azure.identity, azure.mgmt.resource");

test.skipIf(python.program === undefined)(`Azure's SDKs for Python ${python.lack}`.trim(), async () => {
  const { environment: env } = await serveCluster(onTestFinished);
  const { code, stdout, stderr } = await runProgram(python.program ?? "", ["-W", "ignore", program], { env });
  console.log(stdout);
  expect(`${stdout.replace(areRequired ? /^ok .*\n/gm : /^(ok|skipped: ).*\n/gm, "")}${stderr}`).toBe("");
  expect(code).toBe(0);
});

/** In a shell of the docs tests, a command that runs in the process of the test does what the built program does. */
import { expect, test } from "vitest";
import { clusterFlags, domainFlags } from "../../tools/demo-cluster.js";
import { cloneOfRepository } from "./clone.js";

const script = [
  `aro-hcp create infra ${[...clusterFlags, ...domainFlags].join(" ")} --dry-run -o json`,
  "aro-hcp create infra --unknown 2> errors",
  'echo "exit code $?"',
  "cat errors",
  "mkdir folder && cd folder",
  'echo "name: other" > own.yaml',
  "export ARO_HCP_INFRA_ID=other-x1",
  "aro-hcp show settings show infra --config own.yaml 2> /dev/null",
  "aro-hcp show settings show infra --config /dev/stdin < own.yaml",
].join("\n");

test("streams and their order, exit codes, variables, the directory and standard input are the same", async () => {
  const outputs = [];
  for (const processes of [true, false]) {
    const clone = await cloneOfRepository({ processes });
    clone.link();
    const { code, output } = await clone.run(script);
    expect(code, output).toBe(0);
    outputs.push(output);
  }
  expect(outputs[1]).toBe(outputs[0]);
});

/** Azure's SDK for Go on what `create all` makes. go/main.go has the calls. It is built with the modules that `go` finds or may download. */
import { cp } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { absent, runProgram, serveCluster } from "./served-cluster.js";

const source = fileURLToPath(new URL("go", import.meta.url));
/** The sums of the modules are added to a copy. */
const environment: NodeJS.ProcessEnv = { GOFLAGS: "-mod=mod", ...process.env };

test("Azure's SDK for Go", async ({ skip }) => {
  const { environment: client, path } = await serveCluster(onTestFinished);
  await cp(source, path("go"), { recursive: true });
  const found = await runProgram("go", ["list", "-deps", "."], environment, path("go"));
  skip(found.code !== 0, absent(`Go or its modules are absent: ${lastLineOf(found.stderr)}`));
  const built = await runProgram("go", ["build", "-o", path("program"), "."], environment, path("go"));
  expect(built.stderr).toBe("");
  const { code, stdout, stderr } = await runProgram(path("program"), [], client);
  expect(`${stdout.replace(/^ok .*\n/gm, "")}${stderr}`).toBe("");
  expect(code).toBe(0);
});

const lastLineOf = (text: string): string => text.trim().split("\n").at(-1) ?? "";

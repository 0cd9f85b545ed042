/** Azure's SDK for Go on what `create all` makes. go/main.go has the calls. It is built with the modules that go.sum names, as `go` finds or downloads them. */
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../harness/temporary-directory.js";
import { absent, runProgram, serveCluster } from "./served-cluster.js";

const source = fileURLToPath(new URL("go", import.meta.url));

test("Azure's SDK for Go", async ({ skip }) => {
  const module = temporaryDirectory().path;
  await cp(source, module, { recursive: true });
  const found = await runProgram("go", ["list", "-deps", "."], { env: process.env, cwd: module });
  if (found.code !== 0) skip(absent(`Go or its modules are absent: ${lastLineOf(found.stderr) || String(found.code)}`));
  const built = await runProgram("go", ["build", "-o", "program", "."], { env: process.env, cwd: module });
  expect(built).toMatchObject({ code: 0, stderr: "" });
  const { environment: env } = await serveCluster(onTestFinished);
  const { code, stdout, stderr } = await runProgram(join(module, "program"), [], { env });
  expect(`${stdout.replace(/^ok .*\n/gm, "")}${stderr}`).toBe("");
  expect(code).toBe(0);
});

const lastLineOf = (text: string): string => text.trim().split("\n").at(-1) ?? "";

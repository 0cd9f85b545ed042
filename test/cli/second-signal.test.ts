/** A process that waits for something that never comes: the second signal ends it, whatever it waits for. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync } from "node:fs";
import { onTestFinished, expect, test } from "vitest";
import { plainEnvironment, program, startNode } from "../../tools/cli-process.js";
import { clusterFlags, domainFlags } from "../../tools/demo-cluster.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

test.skipIf(process.platform === "win32").each([["SIGINT"], ["SIGTERM"], ["SIGHUP"]] as const)(
  "the second %s ends a command while a thread waits for the writer of a pipe",
  async (signal) => {
    const { path: directory } = temporaryDirectory();
    // The SDK reads this file. A thread that waits in the system cannot be stopped, and Node.js waits for it when it exits.
    const pipe = `${directory}/token`;
    execFileSync("mkfifo", [pipe]);
    const running = startNode([program, "create", "infra", ...clusterFlags.slice(2), ...domainFlags], {
      ...plainEnvironment(directory),
      AZURE_SUBSCRIPTION_ID: "11111111-1111-4111-8111-111111111111",
      AZURE_TENANT_ID: "22222222-2222-4222-8222-222222222222",
      AZURE_CLIENT_ID: "00000000-0000-4000-8000-000000000101",
      AZURE_FEDERATED_TOKEN_FILE: pipe,
    });
    onTestFinished(() => void running.process.kill("SIGKILL"));
    let stderr = "";
    running.process.stderr?.on("data", (text: string) => (stderr += text));
    let writer: number | undefined;
    await expect.poll(() => (writer = writerOf(pipe))).toBeDefined();
    onTestFinished(() => closeSync(writer ?? 0));
    running.process.kill(signal);
    while (!stderr.includes("stopping")) await once(running.process.stderr ?? running.process, "data");
    running.process.kill(signal);
    expect((await running.ended).code).toBe(signal);
  },
);

/** Opens a pipe that another process reads; undefined if none does yet. */
function writerOf(pipe: string): number | undefined {
  try {
    return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

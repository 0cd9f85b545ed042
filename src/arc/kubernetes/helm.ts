/** Runs helm on this machine, with a kubeconfig and without a shell. */
import { execFile } from "node:child_process";
import { Failure } from "../../errors/failure.js";
import { systemCode } from "../../text/system-code.js";
import { parseJson } from "../../text/json.js";
import { redacted, redactedError } from "../../text/redact.js";
import type { AgentRelease } from "../domain/cluster-access.js";
import { agents } from "../domain/names.js";
import type { Kubeconfig } from "../../kubernetes/kubeconfig.js";

export interface Helm {
  /** @throws ARO-ARC-004 with what helm reports */
  run(what: string, words: readonly string[]): Promise<string>;
}

const longestOutput = 16 * 1024 * 1024;

/** Undefined if helm is not installed. */
export async function findHelm(
  { path, programEnvironment }: Pick<Kubeconfig, "path" | "programEnvironment">,
  signal: AbortSignal,
): Promise<Helm | undefined> {
  const call = (words: readonly string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const options = { env: programEnvironment, signal, maxBuffer: longestOutput };
      execFile("helm", [...words], options, (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else
          reject(
            systemCode(error) === "ENOENT"
              ? error
              : new Error(redacted(lastLine(stderr) || error.message), { cause: redactedError(error) }),
          );
      });
    });
  try {
    await call(["version", "--short"]);
  } catch (error) {
    signal.throwIfAborted();
    if (systemCode(error) === "ENOENT") return undefined;
    throw failed("start", error);
  }
  return {
    async run(what, words) {
      try {
        return await call([...words, "--kubeconfig", path]);
      } catch (error) {
        signal.throwIfAborted();
        throw failed(what, error);
      }
    },
  };
}

/** Undefined if there is none. */
export async function agentRelease(helm: Helm): Promise<AgentRelease | undefined> {
  const words = ["list", "--namespace", agents.releaseNamespace, "--filter", `^${agents.release}$`, "--all", "--output", "json"];
  const listed = parseJson(await helm.run("list the release of the agents", words));
  const [found] = Array.isArray(listed) ? (listed as readonly { readonly status?: unknown; readonly chart?: unknown }[]) : [];
  return found && { status: String(found.status), chart: String(found.chart) };
}

function failed(what: string, error: unknown): Failure {
  const because = error instanceof Error ? error.message : "it gave no reason";
  return new Failure("ARO-ARC-004", `helm could not ${what}`, { because });
}

/** Helm writes warnings first. */
function lastLine(text: string): string {
  return text.trim().split(/\r?\n/).at(-1)?.slice(0, 500) ?? "";
}

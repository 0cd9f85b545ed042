/** Runs the command of a process and returns its exit code. Each command loads its slow dependencies itself. */
import { CommanderError } from "commander";
import { watchResult } from "../render/lost-result.js";
import type { ProcessPort } from "./process-port.js";
import { program } from "./program.js";

export { processPort } from "./process-port.js";

/** Returns the exit code when all output is written; only a second Ctrl-C ends the process earlier. */
export async function main(port: ProcessPort): Promise<number> {
  const lostResult = watchResult(port.stdout);
  const code = await runProgram(port);
  // Streams report errors after the writing code has returned.
  await new Promise(setImmediate);
  const lost = lostResult();
  return lost === undefined ? code : resultLost(lost, code, port);
}

async function resultLost(error: NodeJS.ErrnoException, code: number, port: ProcessPort): Promise<number> {
  const [{ showFailure }, { Failure }] = await Promise.all([import("./run/show-failure.js"), import("../errors/failure.js")]);
  const failure = new Failure("ARO-RUN-006", `the result could not be written to standard output: ${error.code ?? "unknown reason"}`);
  const codeOfLoss = showFailure(failure, { output: "text", debug: false, color: "auto" }, port);
  return code === 0 ? codeOfLoss : code;
}

async function runProgram(port: ProcessPort): Promise<number> {
  let code = 0;
  const ended = (its: number) => {
    code = its;
  };
  try {
    await program(port, ended, port.args).parseAsync(port.args, { from: "user" });
    return code;
  } catch (error) {
    // Commands show their own failures.
    if (!(error instanceof CommanderError)) throw error;
    return wrongWords(error, port);
  }
}

/** Commander has printed help, the version, or in text mode the usage error. */
async function wrongWords({ exitCode, message }: CommanderError, port: ProcessPort): Promise<number> {
  if (exitCode === 0) return 0;
  if (asksForJson(port)) {
    const [{ failuresDocument }, { Failure }, { printDocument }, { screensOf }, { adviceRenderer }] = await Promise.all([
      import("./run/show-failure.js"),
      import("../errors/failure.js"),
      import("../render/document.js"),
      import("../render/screen.js"),
      import("./run/connection-flags.js"),
    ]);
    const failure = new Failure("ARO-USAGE-001", message.replace(/^error: /, ""));
    printDocument(screensOf(port, "never").result, failuresDocument([failure], adviceRenderer({})));
  }
  return 2;
}

/** Invalid arguments have no settings, so the arguments and the variable are read directly. */
function asksForJson({ args, environment }: ProcessPort): boolean {
  const given = [...args.join(" ").matchAll(/(?:^| )(?:--output[= ]|-o[= ]?)(\w+)/g)].at(-1)?.[1];
  return (given ?? environment["ARO_HCP_OUTPUT"]) === "json";
}

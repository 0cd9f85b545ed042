/** The process edge: arguments in, exit code out. Everything that is slow to load is loaded by the command that needs it. */
import { CommanderError } from "commander";
import { watchResult } from "../render/lost-result.js";
import { program } from "./program.js";

/** Sets the exit code and returns when all is said; it never calls `process.exit`, so that nothing written is lost in a pipe. */
export async function main(args: readonly string[]): Promise<void> {
  const lostResult = watchResult();
  await runProgram(args);
  // Streams tell of an error when the code that wrote has returned.
  await new Promise(setImmediate);
  const lost = lostResult();
  if (lost !== undefined) process.exitCode = await resultLost(lost);
}

async function resultLost(error: NodeJS.ErrnoException): Promise<number> {
  const [{ showFailure }, { Failure }] = await Promise.all([import("./run/show-failure.js"), import("../errors/failure.js")]);
  const failure = new Failure("ARO-RUN-006", `the result could not be written to standard output: ${error.code ?? "unknown reason"}`);
  const code = showFailure(failure, { output: "text", debug: false, color: "auto" }, process.env);
  return Number(process.exitCode ?? 0) === 0 ? code : Number(process.exitCode);
}

async function runProgram(args: readonly string[]): Promise<void> {
  try {
    await program(process.env, args).parseAsync(args, { from: "user" });
  } catch (error) {
    // Commands show their own failures.
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = await wrongWords(error, args);
  }
}

/** Commander has printed help, version or, to people, what is wrong with the words. */
async function wrongWords({ exitCode, message }: CommanderError, args: readonly string[]): Promise<number> {
  if (exitCode === 0) return 0;
  if (asksForJson(args)) {
    const [{ failuresDocument }, { Failure }, { printDocument }, { processScreens }, { adviceRenderer }] = await Promise.all([
      import("./run/show-failure.js"),
      import("../errors/failure.js"),
      import("../render/document.js"),
      import("../render/screen.js"),
      import("./run/connection-flags.js"),
    ]);
    const failure = new Failure("ARO-USAGE-001", message.replace(/^error: /, ""));
    printDocument(processScreens("never", process.env).result, failuresDocument([failure], adviceRenderer({})));
  }
  return 2;
}

/** Words that make no command have no settings: the words and the variable themselves are asked. */
function asksForJson(args: readonly string[]): boolean {
  const given = [...args.join(" ").matchAll(/(?:^| )(?:--output[= ]|-o[= ]?)(\w+)/g)].at(-1)?.[1];
  return (given ?? process.env["ARO_HCP_OUTPUT"]) === "json";
}

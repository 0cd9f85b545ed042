/** Runs the command of the command line, and explains invalid arguments. */
import { CommanderError } from "commander";
import { requestedForm } from "./requested-form.js";
import type { ProcessPort } from "./process-port.js";
import { program } from "./program.js";

/** Returns the exit code. */
export async function runCommandLine(port: ProcessPort): Promise<number> {
  let code = 0;
  const onExit = (exitCode: number) => {
    code = exitCode;
  };
  try {
    await program(port, onExit, port.args).parseAsync(port.args, { from: "user" });
    return code;
  } catch (error) {
    // Commands show their own failures.
    if (!(error instanceof CommanderError)) throw error;
    return showUsageError(error, port);
  }
}

/** Commander has already printed the help, the version or the usage error as text; this adds the document if one is requested. */
async function showUsageError({ exitCode, message }: CommanderError, port: ProcessPort): Promise<number> {
  if (exitCode === 0) return 0;
  if (requestedForm(port) !== "text") {
    const { printUsageError } = await import("./run/show-failure.js");
    printUsageError(message.replace(/^error: /, ""), port);
  }
  return 2;
}

/** Runs the command of a process and returns its exit code. */
import { watchResult } from "../render/text-stream.js";
import { builtHelp } from "./built-help.js";
import type { ProcessPort } from "../run/process-port.js";
import { version } from "../run/package-version.js";
import { exitCodes } from "../errors/exit-codes.js";

export { processPort } from "../run/process-port.js";

/** Returns the exit code when all output is written; only a second Ctrl-C ends the process earlier. */
export async function main(port: ProcessPort): Promise<number> {
  const lostResult = watchResult(port.stdout);
  const stopListening = port.onIdle(() => {
    stopListening();
    void endUnfinished(port);
  });
  const code = await run(port);
  // Streams report errors after the writing code has returned.
  await port.clock.turn();
  stopListening();
  const lost = lostResult();
  if (lost === undefined) return code;
  const { showLostResult } = await import("../run/show-failure.js");
  const codeOfLoss = showLostResult(lost, port);
  return code === 0 ? codeOfLoss : code;
}

/** The process would end without a message: the command is not complete, but nothing is left to wait for. */
async function endUnfinished(port: ProcessPort): Promise<void> {
  const { showUnfinished } = await import("../run/show-failure.js");
  port.exit(showUnfinished(port));
}

async function run(port: ProcessPort): Promise<number> {
  // Prints the same as commander, without its load time.
  const text = port.args.length === 1 && port.args[0] === "--version" ? `${version}\n` : builtHelp(port);
  if (text !== undefined) {
    port.stdout.write(text);
    // Nothing was done: a script whose variable with the command is empty must not succeed.
    return port.args.length === 0 ? exitCodes.usage : 0;
  }
  const { runCommandLine } = await import("./command-line.js");
  return runCommandLine(port);
}

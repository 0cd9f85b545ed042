/** The process edge: arguments in, exit code out. Everything that is slow to load is loaded by the command that needs it. */
import { CommanderError } from "commander";
import { program } from "./program.js";

/** Sets the exit code and returns when all is said; it never calls `process.exit`, so that nothing written is lost in a pipe. */
export async function main(args: readonly string[]): Promise<void> {
  try {
    await program(process.env).parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = error instanceof CommanderError ? commanderExit(error) : await failed(error, args);
  }
}

/** Commander has printed help, version or what is wrong with the words. */
function commanderExit({ exitCode }: CommanderError): number {
  return exitCode === 0 ? 0 : 2;
}

async function failed(error: unknown, args: readonly string[]): Promise<number> {
  const { showFailure } = await import("./show-failure.js");
  return showFailure(error, { json: asksForJson(args), debug: args.includes("--debug"), environment: process.env });
}

/** Settings may be what failed, so the words themselves are asked. */
function asksForJson(args: readonly string[]): boolean {
  return args.some(
    (arg, at) => arg === "--output=json" || arg === "-ojson" || ((arg === "--output" || arg === "-o") && args[at + 1] === "json"),
  );
}

/** The process edge: arguments in, exit code out. Everything that is slow to load is loaded by the command that needs it. */
import { CommanderError } from "commander";
import { program } from "./program.js";
import { resolvedOutput } from "./resolved-output.js";

/** Sets the exit code and returns when all is said; it never calls `process.exit`, so that nothing written is lost in a pipe. */
export async function main(args: readonly string[]): Promise<void> {
  try {
    await program(process.env).parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = error instanceof CommanderError ? await wrongWords(error, args) : await failed(error, args);
  }
}

/** Commander has printed help, version or, to people, what is wrong with the words. */
async function wrongWords({ exitCode, message }: CommanderError, args: readonly string[]): Promise<number> {
  if (exitCode === 0) return 0;
  if (asksForJson(args)) {
    const [{ showFailure }, { Failure }] = await Promise.all([import("./show-failure.js"), import("../errors/failure.js")]);
    const failure = new Failure("ARO-USAGE-001", message.replace(/^error: /, ""));
    await showFailure(failure, { json: true, people: false, debug: false, environment: process.env });
  }
  return 2;
}

async function failed(error: unknown, args: readonly string[]): Promise<number> {
  const { showFailure } = await import("./show-failure.js");
  return showFailure(error, { json: asksForJson(args), people: true, debug: args.includes("--debug"), environment: process.env });
}

/** As the settings say. They may be what failed: then the words and the variable themselves are asked. */
function asksForJson(args: readonly string[]): boolean {
  if (resolvedOutput !== undefined) return resolvedOutput === "json";
  const given = [...args.join(" ").matchAll(/(?:^| )(?:--output[= ]|-o[= ]?)(\w+)/g)].at(-1)?.[1];
  return (given ?? process.env["ARO_HCP_OUTPUT"]) === "json";
}

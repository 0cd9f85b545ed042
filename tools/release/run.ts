/** Runs a program to its end. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { lastLines } from "../cli-process.js";

export interface Where {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Its standard output. @throws Error with the end of its output if it fails */
export async function run(command: string, args: readonly string[], where: Where = {}): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { maxBuffer: 2 ** 26, ...where })).stdout.trim();
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`failed in ${where.cwd ?? "."}: ${command} ${args.join(" ")}\n${lastLines(stderr + stdout)}`, { cause: error });
  }
}

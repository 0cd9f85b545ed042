/** How these tests evaluate runs of the command line. */
import { expect } from "vitest";
import { demo, demoDomain, writes, type CliOptions, type CliResult, type TestEmulator } from "../harness/test-emulator.js";

export function create(azure: TestEmulator, flags: readonly string[] = [], options?: CliOptions): Promise<CliResult> {
  return azure.cli(["create", "infra", ...demo, ...demoDomain, ...flags], options);
}

export function destroy(azure: TestEmulator, flags: readonly string[] = [], options?: CliOptions): Promise<CliResult> {
  return azure.cli(["destroy", "infra", ...demo, "--yes", ...flags], options);
}

/** Returns the result; shows the program's output if the exit code differs. */
export function exits(result: CliResult, code: number): CliResult {
  expect(result.code, `${result.stdout}\n${result.stderr}`).toBe(code);
  return result;
}

export async function writesSince(azure: TestEmulator): Promise<string[]> {
  return writes(await azure.traffic()).map(({ method, url }) => `${method} ${new URL(url).pathname}`);
}

/** Refused with this message, without a write to Azure. */
export async function refuses(azure: TestEmulator, running: Promise<CliResult>, code: number, ...words: readonly (string | RegExp)[]) {
  await azure.traffic();
  const { stderr } = exits(await running, code);
  for (const word of words) expect(stderr).toMatch(word);
  expect(await writesSince(azure)).toEqual([]);
}

/** Cases with a full title for `test.each`: `$what` would truncate their sentences. */
export function titled<Case extends { readonly what: string }>(cases: readonly Case[]): (readonly [string, Case])[] {
  return cases.map((each) => [each.what, each]);
}

/** What a shell offers at the cursor, and the scripts that ask for it, in each shell that is installed. */
import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { completionCommand } from "../../src/cli/arguments.js";
import { infraCheckIds } from "../../src/infra/verify/checks.js";
import { componentKeys } from "../../src/domain/components.js";
import { locations } from "../../src/domain/locations.js";
import { commandNames, optionsOf } from "../../src/settings/commands.js";
import { plainEnvironment } from "../../tools/cli-process.js";
import { cli } from "../harness/cli.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";
import { exits, titled } from "./expectations.js";

/** The lines for these words; the last one is at the cursor. */
async function offered(...words: string[]): Promise<readonly string[]> {
  const { stdout, stderr } = exits(await cli([completionCommand, ...words]), 0);
  expect(stderr).toBe("");
  return stdout.split("\n").slice(0, -1);
}

const values = (lines: readonly string[]) => lines.map((line) => line.replace(/\t.*/, ""));

test("every command can be completed word by word, each with a description", async () => {
  for (const name of commandNames) {
    const [first = "", second] = name.split(" ");
    expect(values(await offered(first.slice(0, -1)))).toContain(first);
    if (second !== undefined) expect(await offered(first, second)).toContainEqual(expect.stringMatching(`^${second}\t.+`));
  }
});

test.each(commandNames)("after `%s`, every flag is offered once, with its text", async (name) => {
  const flags = await offered(...name.split(" "), "--");
  expect(values(flags)).toEqual([...optionsOf(name).map(({ flag }) => flag), "--help", "--help-all"]);
  for (const flag of flags) expect(flag).toMatch(/\t.+/);
});

test("the required flags are offered first, then the others, each until it is set", async () => {
  expect(values(await offered("create", "infra", ""))).toEqual(["--name", "--infra-id", "--base-domain"]);
  expect(values(await offered("create", "infra", "--name", "demo", ""))).toEqual(["--infra-id", "--base-domain"]);
  const others = values(await offered("create", "infra", "--name", "demo", "--infra-id", "x", "--base-domain", "a.b", ""));
  expect(others).toContain("--vnet-cidr");
  expect(others).not.toContain("--name");
  expect(values(await offered("create", "infra", "-t", "a=b", "--re"))).toContain("--resource-group-tags");
  expect(values(await offered("create", "infra", "-y", "--y"))).toEqual([]);
});

interface Case {
  readonly what: string;
  readonly words: readonly string[];
  readonly values: readonly string[];
}

const cases: readonly Case[] = [
  { what: "choices", words: ["create", "infra", "--cloud", "lo"], values: ["local"] },
  { what: "choices after an equals sign", words: ["create", "infra", "--cloud=lo"], values: ["--cloud=local"] },
  { what: "choices after an equals sign that bash passes as a word", words: ["create", "infra", "--cloud", "=", "lo"], values: ["local"] },
  { what: "nothing yet after an equals sign of bash", words: ["show", "infra", "-o", "="], values: ["text", "json"] },
  { what: "two quotes of PowerShell, which are an empty word", words: ["show", "infra", "--output", '""'], values: ["text", "json"] },
  { what: "locations", words: ["create", "infra", "--location", "west"], values: locations.filter((name) => name.startsWith("west")) },
  { what: "components", words: ["verify", "identities", "--component", ""], values: ["all", ...componentKeys] },
  { what: "IDs of checks", words: ["verify", "infra", "--only", ""], values: infraCheckIds },
  { what: "the next ID of a list", words: ["verify", "infra", "--only", "no-locks,subnet-e"], values: ["no-locks,subnet-exists"] },
  { what: "files", words: ["create", "infra", "--azure-creds", ""], values: [":file"] },
  { what: "directories", words: ["create", "all", "--output-dir", ""], values: [":directory"] },
  { what: "any text", words: ["create", "infra", "--name", ""], values: [] },
  { what: "a connection flag that the command ignores", words: ["schema", "--cloud", "local", "ide"], values: ["identities"] },
  { what: "an argument", words: ["completion", ""], values: ["bash", "zsh", "fish", "powershell"] },
  { what: "an argument that is a file", words: ["local", "seed", ""], values: [":file"] },
  { what: "commands below a command, and its argument", words: ["doctor", "i"], values: ["infra", "identities"] },
  { what: "a command for help", words: ["help", "rotate", ""], values: ["credentials", "encryption-key"] },
  { what: "the commands of show settings", words: ["show", "settings", "rotate", ""], values: ["credentials", "encryption-key"] },
  { what: "their flags", words: ["show", "settings", "create", "infra", "--eg"], values: ["--egress"] },
  { what: "flags that turn a switch off", words: ["create", "infra", "--no-d"], values: ["--no-dry-run", "--no-debug"] },
  { what: "flags in front of the command", words: ["--cloud", "local", "rotat"], values: ["rotate"] },
  { what: "nothing after an unknown command", words: ["nonsense", "x", ""], values: [] },
];

test.each(titled(cases))("%s", async (_what, { words, values: wanted }) => {
  expect(values(await offered(...words))).toEqual(wanted);
});

describe("in a shell", () => {
  const { path: folder } = temporaryDirectory(afterAll);

  /** The program on the path, as npm links it. */
  beforeAll(() => {
    const program = join(folder, "aro-hcp");
    writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} ${resolve("bin/aro-hcp.js")} "$@"\n`);
    chmodSync(program, 0o755);
  });

  /** The lines that a script prints. */
  function linesOf(shell: string, args: readonly string[], script: string): string[] {
    const file = join(folder, `script.${shell === "pwsh" ? "ps1" : shell}`);
    writeFileSync(file, script);
    const env = { ...plainEnvironment(folder), PATH: `${folder}:${process.env["PATH"] ?? ""}` };
    const { stdout, stderr } = spawnSync(shell, [...args, file], { encoding: "utf8", env });
    expect(stderr).toBe("");
    return stdout
      .split("\n")
      .map((line) => line.trimEnd())
      .filter((line) => line !== "");
  }

  const isInstalled = (shell: string) => spawnSync(shell, ["-c", "exit"]).status === 0;

  test.skipIf(!isInstalled("bash"))("bash", () => {
    const script = `
      source <(aro-hcp completion bash)
      compopt() { echo "compopt $*"; }
      try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _aro_hcp "$1"; echo "$* -> \${COMPREPLY[*]}"; }
      complete -p aro-hcp
      try aro-hcp create encr
      try aro-hcp create infra --cloud = lo
      try aro-hcp verify infra --only zone-link-
      try aro-hcp create all --azure-creds ""
      try aro-hcp create all --output-dir ""`;
    expect(linesOf("bash", ["--norc"], script)).toEqual([
      "complete -F _aro_hcp aro-hcp",
      "aro-hcp create encr -> encryption-key",
      "aro-hcp create infra --cloud = lo -> local",
      "aro-hcp verify infra --only zone-link- -> zone-link-network zone-link-registration",
      "compopt -o default",
      "aro-hcp create all --azure-creds  ->",
      "compopt -o dirnames",
      "aro-hcp create all --output-dir  ->",
    ]);
  });

  test.skipIf(!isInstalled("zsh"))("zsh", () => {
    const script = `
      compdef() { echo "compdef $*" }
      _files() { echo "_files $*" }
      _describe() { local name=\${@[-1]}; print -l -- \${(P)name} }
      source <(aro-hcp completion zsh)
      try() { words=("$@"); CURRENT=$#; _aro_hcp }
      try aro-hcp create encr
      try aro-hcp create infra --cloud=lo
      try aro-hcp create all --azure-creds ""
      try aro-hcp create all --output-dir ""`;
    expect(linesOf("zsh", ["-f"], script)).toEqual([
      "compdef _aro_hcp aro-hcp",
      "encryption-key:create the key that encrypts etcd",
      "--cloud=local",
      "_files",
      "_files -/",
    ]);
  });

  test.skipIf(!isInstalled("fish"))("fish", () => {
    const script = `
      aro-hcp completion fish | source
      complete -C "aro-hcp create encr"
      complete -C "aro-hcp create infra --cloud lo"
      complete -C "aro-hcp create infra --cloud=lo"`;
    expect(linesOf("fish", ["--no-config"], script)).toEqual([
      "encryption-key\tcreate the key that encrypts etcd",
      "local",
      "--cloud=local",
    ]);
  });

  test.skipIf(!isInstalled("pwsh"))("PowerShell", () => {
    const script = `
      aro-hcp completion powershell | Out-String | Invoke-Expression
      foreach ($line in 'aro-hcp create encr', 'aro-hcp create infra --cloud lo', 'aro-hcp completion ') {
        (TabExpansion2 -inputScript $line -cursorColumn $line.Length).CompletionMatches.CompletionText -join ' '
      }`;
    expect(linesOf("pwsh", ["-NoProfile", "-File"], script)).toEqual(["encryption-key", "local", "bash zsh fish powershell"]);
  });
});

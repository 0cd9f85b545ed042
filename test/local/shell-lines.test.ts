/** The lines of `local env`: a shell that evaluates them has the values, whatever these contain. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { shellLines, shellOf, type ShellName } from "../../src/local/shell-lines.js";
import { uncoloredText } from "../../src/text/control.js";

const hostile = "/tmp/it's \"$HOME\" `id` \\n \\' ‘q’ ##[x] \n\u001b[1m \u202e é 🦀";

/** Shells that are not installed are left out. */
const installed = (["bash", "zsh", "fish"] as const).filter((shell) => {
  try {
    execFileSync(shell, ["-c", "exit 0"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
});

test.each(installed)("%s gets each value, and no longer has an empty variable", (shell) => {
  const lines = shellLines(shell, { CA: hostile, NO_PROXY: "" });
  const print = `"${process.execPath}" -p 'JSON.stringify([process.env.CA, process.env.NO_PROXY])'`;
  const shown = execFileSync(shell, ["-c", `${lines}\n${print}`], {
    env: { PATH: "/usr/bin:/bin", NO_PROXY: "x" },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  expect(JSON.parse(shown)).toEqual([hostile, null]);
});

test.each<[ShellName, string]>([
  ["bash", String.raw`export CA='/a '\''‘b'$'\x0a''c'` + "\nunset EMPTY"],
  ["zsh", String.raw`export CA='/a '\''‘b'$'\x0a''c'` + "\nunset EMPTY"],
  ["fish", String.raw`set -gx CA '/a \'‘b'\X0a'c'` + "\nset -e EMPTY"],
  ["powershell", "$env:CA = '/a ''‘‘b' + [char]0x0a + 'c'\n$env:EMPTY = $null"],
])("%s has its own quotes", (shell, lines) => {
  expect(shellLines(shell, { CA: "/a '‘b\nc", EMPTY: "" })).toBe(lines);
});

test("nothing in the lines is changed when they are printed", () => {
  for (const shell of ["bash", "fish", "powershell"] as const) {
    const lines = shellLines(shell, { CA: hostile });
    expect(uncoloredText(lines)).toBe(lines);
  }
});

test.each([
  [undefined, "bash"],
  ["/bin/sh", "bash"],
  ["/usr/bin/zsh", "zsh"],
  ["/opt/homebrew/bin/fish", "fish"],
  ["C:\\Program Files\\PowerShell\\7\\pwsh.exe", "powershell"],
])("SHELL %s means %s", (path, shell) => {
  expect(shellOf(path)).toBe(shell);
});

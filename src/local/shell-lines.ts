/** Lines that set environment variables in a shell, whatever their values contain. */

interface Shell {
  readonly quoted: (text: string) => string;
  /** A character that may not be printed as it is, outside of quotes. */
  readonly escaped: (character: string) => string;
  readonly joint: string;
  readonly set: (name: string, value: string) => string;
  readonly unset: (name: string) => string;
}

/** Control characters, invisible ones, and what begins a command of a CI log: output never has them. */
const unprintable = /([\p{C}\p{Zl}\p{Zp}#])/u;

const hexBytes = (character: string, prefix: string) => [...Buffer.from(character)].map((byte) => prefix + hex(byte)).join("");
const hex = (value: number) => value.toString(16).padStart(2, "0");

const posix: Shell = {
  quoted: (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`,
  escaped: (character) => `$'${hexBytes(character, String.raw`\x`)}'`,
  joint: "",
  set: (name, value) => `export ${name}=${value}`,
  unset: (name) => `unset ${name}`,
};

const shells = {
  bash: posix,
  zsh: posix,
  fish: {
    quoted: (text) => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`,
    escaped: (character) => hexBytes(character, String.raw`\X`),
    joint: "",
    set: (name, value) => `set -gx ${name} ${value}`,
    unset: (name) => `set -e ${name}`,
  },
  powershell: {
    // To PowerShell, a typographic quote ends a text too.
    quoted: (text) => `'${text.replaceAll(/['\u2018-\u201b]/g, "$&$&")}'`,
    escaped: (character) => Array.from({ length: character.length }, (_, nth) => `[char]0x${hex(character.charCodeAt(nth))}`).join(" + "),
    joint: " + ",
    set: (name, value) => `$env:${name} = ${value}`,
    unset: (name) => `$env:${name} = $null`,
  },
} as const satisfies Readonly<Record<string, Shell>>;

export type ShellName = keyof typeof shells;

/** An empty variable is unset. */
export function shellLines(name: ShellName, variables: Readonly<Record<string, string>>): string {
  const shell: Shell = shells[name];
  return Object.entries(variables)
    .map(([variable, value]) => (value === "" ? shell.unset(variable) : shell.set(variable, wordIn(shell, value))))
    .join("\n");
}

/** The pieces at odd places are what the pattern matched. */
function wordIn({ quoted, escaped, joint }: Shell, value: string): string {
  return value
    .split(unprintable)
    .map((piece, nth) => (nth % 2 === 1 ? escaped(piece) : quoted(piece)))
    .join(joint);
}

/** The shell that SHELL names: /usr/bin/fish. */
export function shellOf(path = ""): ShellName {
  const base = path
    .split(/[/\\]/)
    .at(-1)
    ?.replace(/\.exe$/i, "");
  if (base === "zsh" || base === "fish") return base;
  return base === "pwsh" || base === "powershell" ? "powershell" : "bash";
}

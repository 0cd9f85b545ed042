/** A script for az: sections of command lines, each with what it must show. */

export interface AzSection {
  readonly title: string;
  /** The oldest az whose package can run its commands; undefined for any. */
  readonly since: string | undefined;
  readonly commands: readonly AzCommand[];
}

export interface AzCommand {
  readonly line: string;
  readonly words: readonly string[];
  /** Later commands of the section use the output under this name. */
  readonly name: string | undefined;
  /** What the output contains, with one space for any white space; empty if there is no output. */
  readonly shows: string;
  /** Whether the command fails, and its error shows that. */
  readonly fails: boolean;
}

export function readAzScript(text: string): AzSection[] {
  const [, ...sections] = text.split(/^## /m);
  return sections.map((section) => {
    const [title = "", ...lines] = section.split("\n");
    const since = / \(az ([\d.]+)\)$/.exec(title)?.[1];
    return { title, since, commands: lines.filter((line) => line !== "" && !line.startsWith("#")).map(readCommand) };
  });
}

/** @throws Error for a line that is not a command. */
function readCommand(line: string): AzCommand {
  const [, name, command, fails, shows] = /^(?:(\w+) = )?az (.+?) => ?(fails: )?(.*)$/.exec(line) ?? [];
  if (command === undefined || shows === undefined) throw new Error(`not a command with what it shows: ${line}`);
  const words = Array.from(command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g), ([, single, double, plain]) => single ?? double ?? plain ?? "");
  return { line, words, name, shows: shows === "nothing" ? "" : shows, fails: fails !== undefined };
}

/** Replaces each `$name` that is known. */
export function filledIn(command: AzCommand, values: Readonly<Record<string, string>>): AzCommand {
  const fill = (text: string): string => text.replace(/\$(\w+)/g, (whole, name: string) => values[name] ?? whole);
  return { ...command, words: command.words.map(fill), shows: fill(command.shows) };
}

/** What is wrong with the result of a command; undefined if nothing is. */
export function problemOf({ line, shows, fails }: AzCommand, code: number | string, stdout: string, stderr: string): string | undefined {
  const shown = folded(fails ? stderr : stdout);
  const isRight = (code !== 0) === fails && (shows === "" ? shown === "" : contains(shown, shows));
  return isRight ? undefined : `${line}\n  exited with ${String(code)} and printed ${folded(stdout)}\n  ${folded(stderr).slice(-1500)}`;
}

/** Resource IDs are the same in any case: AKS answers `resourcegroups` in those of its clusters. */
const contains = (shown: string, part: string): boolean =>
  part.startsWith("/subscriptions/") ? shown.toLowerCase().includes(part.toLowerCase()) : shown.includes(part);

const folded = (text: string): string => text.replace(/\s+/g, " ").trim();

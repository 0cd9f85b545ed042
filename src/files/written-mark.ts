/** The comment that says which command wrote a file, and for whom: the only proof in a format that others define. */
import { sameText } from "../text/same-text.js";
import { unknownOwner, type OutputFile, type OwnershipCheck } from "./output-file.js";

export interface Writer {
  /** `render hosted-cluster` */
  readonly command: string;
  /** What the file is about: `clusters/demo`, or a resource ID. */
  readonly owner: string;
}

/** As a JSON string: a line break in a name would otherwise end the comment. */
export function markOf({ command, owner }: Writer): string {
  return `# Written by aro-hcp ${command} for ${JSON.stringify(owner)}\n`;
}

/** In the first line, or in the second one of a script. Earlier versions wrote no command. */
const mark = /^(?:#![^\n]*\n)?# Written by aro-hcp (?:([a-z][a-z -]*) )?for (".*")\n/;

export function markOwner({ command, owner }: Writer): OwnershipCheck {
  return ({ text }) => {
    const [, foundCommand = command, foundOwner] = mark.exec(text) ?? [];
    if (foundOwner === undefined) return unknownOwner;
    return foundCommand === command && sameText(foundOwner, JSON.stringify(owner))
      ? undefined
      : `a file of ${foundCommand} for ${foundOwner}`;
  };
}

/** The file at the path; one without this mark is not replaced. */
export function markedFile(path: string, writer: Writer): OutputFile {
  return { path, otherOwner: markOwner(writer) };
}

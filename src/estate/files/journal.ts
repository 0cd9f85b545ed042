/** The journal of a sweep: what is deleted is written first, whole, so that it can be put back. */
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { z } from "zod";
import { Failure } from "../../errors/failure.js";
import { readInputFile } from "../../files/input-file.js";
import { jsonText } from "../../text/control.js";
import { parseJson } from "../../text/json.js";
import { reasonOf, systemReason } from "../../text/system-code.js";
import { candidateKinds, type Candidate } from "../domain/candidate.js";

const entrySchema = z.object({
  schemaVersion: z.literal(1),
  at: z.iso.datetime(),
  kind: z.enum(candidateKinds),
  id: z.string(),
  title: z.string(),
  madeBy: z.string(),
  unused: z.string(),
  /** The infra ID or the set that it was made for. */
  owner: z.string().optional(),
  /** As Azure returned it right before the deletion. */
  body: z.record(z.string(), z.unknown()),
});
export type JournalEntry = z.infer<typeof entrySchema>;

const assignmentBody = z.object({
  id: z.string(),
  name: z.string(),
  scope: z.string(),
  principalId: z.string(),
  roleDefinitionId: z.string(),
  description: z.string().nullish(),
});

/** The role assignment of an entry; undefined if its body is none. */
export function journaledAssignment(body: JournalEntry["body"]): z.infer<typeof assignmentBody> | undefined {
  return assignmentBody.safeParse(body).data;
}

export interface Journal {
  readonly path: string;
  /** Returns when the disk has it. */
  write(candidate: Candidate, body: object, at: Date): void;
  close(): void;
}

/** A new file for its owner alone. @throws ARO-FILE-004 if it exists, or cannot be written */
export function openJournal(path: string): Journal {
  let file: number;
  try {
    file = openSync(path, "wx", 0o600);
  } catch (error) {
    throw new Failure("ARO-FILE-004", `cannot create the journal ${path}: ${systemReason(error)}`, {
      cause: error,
      next: ["pass the path of a new file with --output-journal"],
    });
  }
  return {
    path,
    write({ kind, id, title, madeBy = "", unused = "", owner }, body, at) {
      const entry: JournalEntry = {
        ...{ schemaVersion: 1, at: at.toISOString(), kind, id, title, madeBy, unused },
        ...(owner !== undefined && { owner }),
        body: body as JournalEntry["body"],
      };
      // A disk that is nearly full takes a part.
      for (let rest = Buffer.from(`${jsonText(entry)}\n`); rest.length > 0;) rest = rest.subarray(writeSync(file, rest));
      fsyncSync(file);
    },
    close() {
      closeSync(file);
    },
  };
}

/** Journals of thousands of deletions have a few MiB. */
const mostBytes = 64 * 1024 * 1024;

/**
 * A kill may have cut the last line, which then stands for nothing that was deleted.
 * @throws ARO-FILE-001 or 003 if it is not a journal that this user's sweep has written
 */
export async function readJournal(path: string): Promise<JournalEntry[]> {
  const file = await readInputFile(path, mostBytes);
  if (file === undefined) throw new Failure("ARO-FILE-001", `cannot read ${path}: ${reasonOf("ENOENT")}`);
  // Whoever can write the journal decides what an undo creates.
  const { uid } = userInfo();
  // Windows has neither.
  if (uid !== -1 && ((file.mode & 0o022) !== 0 || (await stat(path)).uid !== uid)) {
    throw new Failure("ARO-FILE-003", `${path} may have been written by somebody else, and an undo does what it says`, {
      next: ["pass the journal that your own sweep has written, which only you can write"],
    });
  }
  const whole = file.bytes.toString("utf8").split("\n").slice(0, -1);
  return whole.map((line, at) => entryOf(path, line, at + 1));
}

function entryOf(path: string, line: string, number: number): JournalEntry {
  const parsed = entrySchema.safeParse(jsonOf(line));
  if (parsed.success) return parsed.data;
  throw new Failure("ARO-FILE-003", `line ${String(number)} of ${path} is no entry of the journal of a sweep`);
}

/** Undefined if it is not JSON. */
function jsonOf(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    return undefined;
  }
}

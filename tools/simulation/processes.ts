/** Spreads work over one process for each processor: each runs the same program of `tools`, and takes a part. */
import { fork } from "node:child_process";
import { availableParallelism } from "node:os";

/** Which of the jobs are those of a process: every `parts`th, from `part` on. */
export interface Part {
  readonly part: number;
  readonly parts: number;
}

export const isOurs = ({ part, parts }: Part, index: number): boolean => index % parts === part;

/** Whether this process is one of those that `spread` has started. */
export const isWorker = process.send !== undefined;

/** Sends `message` to each process. @throws Error if one fails */
export async function spread<Report>(program: string, message: object, onReport: (report: Report) => void): Promise<void> {
  const parts = availableParallelism();
  await Promise.all(Array.from({ length: parts }, (_, part) => inProcess(program, { ...message, part, parts }, onReport)));
}

function inProcess<Report>(program: string, message: object, onReport: (report: Report) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork("tools/run.mjs", [program]);
    child.on("message", onReport);
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`a simulating process exited with ${String(code)}`))));
    child.send(message);
  });
}

/** In such a process. */
export function takePart<Message, Report>(work: (message: Message, report: (report: Report) => void) => Promise<void>): void {
  // Nobody reads what it finds after the end of the first process.
  process.once("disconnect", () => process.exit());
  process.once("message", (message: Message) => void work(message, (report) => process.send?.(report)).then(() => process.disconnect()));
}

/** Of `1..100`. @throws Error that shows the usage */
export function seedsOf(text: string, usage: string): number[] {
  const [, first, last = first] = /^(\d+)(?:\.\.(\d+))?$/.exec(text) ?? [];
  const count = Number(last) - Number(first) + 1;
  if (!(count > 0)) throw new Error(usage);
  return Array.from({ length: count }, (_, index) => Number(first) + index);
}

/** The steps in the JSON result of a create or a destroy, as a plan or as a run: for a drawing. */
import { z } from "zod";
import { readDocument } from "../../files/read.js";
import { texts, text } from "../../files/results/parts.js";
import { validate } from "../../files/validate.js";

export interface ResultStep {
  readonly id: string;
  readonly title: string;
  readonly needs: readonly string[];
  readonly section: string | undefined;
  /** "create" */
  readonly act: string;
  /** How it ended: "done", "failed". Undefined in a plan. */
  readonly status: string | undefined;
}

/** Other members are ignored. */
const noType = z.never({ error: "is not the result of a create or a destroy" }).optional();
/** An empty name is none. */
const section = text.transform((name) => (name.trim() === "" ? undefined : name)).optional();
const step = z.object({ id: text, title: text, needs: texts, act: text, status: text.optional(), section });
const removed = z.object({ id: text, title: text, after: texts, section });
const result = z
  .union([z.object({ type: noType, steps: z.array(step) }), z.object({ type: noType, removed: z.array(removed) })], {
    error: "has no steps: pass what a create or a destroy printed with `--output json`",
  })
  .check(oneEach);

/** Two nodes of one ID would be drawn as one. */
function oneEach({
  value,
  issues,
}: z.core.ParsePayload<{ readonly [list in "steps" | "removed"]?: readonly { readonly id: string }[] }>): void {
  for (const [list, nodes] of Object.entries(value)) {
    const ids = nodes.map(({ id }) => id);
    for (const [index, id] of ids.entries()) {
      if (ids.indexOf(id) < index)
        issues.push({ code: "custom", input: value, path: [list, index, "id"], message: `is the ID of an earlier step: ${id}` });
    }
  }
}

/** @throws ARO-FILE-00x */
export async function readResultSteps(path: string): Promise<readonly ResultStep[]> {
  const read = validate(await readDocument(path), result, "the result of a create or a destroy");
  if ("removed" in read)
    return read.removed.map(({ id, title, after, section }) => ({ id, title, needs: after, section, act: "remove", status: undefined }));
  return read.steps.map(({ id, title, needs, act, status, section }) => ({ id, title, needs, section, act, status }));
}

/** The two questions we ask, on stderr: a yes, and a word typed to show that it is meant. */
import type { TextStream } from "./screen.js";

export interface PromptStreams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: TextStream;
  readonly signal: AbortSignal;
}

/** A question can only be asked where somebody can see it and answer it. */
export function canAsk({ input, output }: Pick<PromptStreams, "input" | "output">): boolean {
  return input.isTTY === true && output.isTTY === true;
}

/** False for "no", for plain Enter, and where the question was aborted (Ctrl-C, the signal, end of input). */
export async function askYesNo(question: string, streams: PromptStreams): Promise<boolean> {
  const { default: confirm } = await import("@inquirer/confirm");
  return (await answered(confirm({ message: question, default: false }, streams))) === true;
}

/** True only if exactly `word` is typed. Anything else declines; there is no second try to type through. */
export async function askToType(word: string, question: string, streams: PromptStreams): Promise<boolean> {
  const { default: input } = await import("@inquirer/input");
  return (await answered(input({ message: question }, streams)))?.trim() === word;
}

/** The errors by which Inquirer tells that a prompt ended without an answer. */
const withoutAnswer = new Set(["AbortPromptError", "ExitPromptError", "CancelPromptError"]);

async function answered<Answer>(prompt: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await prompt;
  } catch (error) {
    if (error instanceof Error && withoutAnswer.has(error.name)) return undefined;
    throw error;
  }
}

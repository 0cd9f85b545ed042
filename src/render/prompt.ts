/** The two kinds of prompt, on stderr: yes or no, and typing a word to confirm. */
import type { TextStream } from "./screen.js";

export interface PromptStreams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: TextStream;
  readonly signal: AbortSignal;
}

/** A prompt needs a terminal for input and output. */
export function canAsk({ input, output }: Pick<PromptStreams, "input" | "output">): boolean {
  return input.isTTY === true && output.isTTY === true;
}

/** False for "no", for plain Enter, and for an aborted prompt (Ctrl-C, the signal, end of input). */
export async function askYesNo(question: string, streams: PromptStreams): Promise<boolean> {
  const { default: confirm } = await import("@inquirer/confirm");
  return (await answered(confirm({ message: question, default: false }, streams))) === true;
}

/** True only if exactly `word` is typed. Any other input declines, without a second try. */
export async function askToType(word: string, question: string, streams: PromptStreams): Promise<boolean> {
  const { default: input } = await import("@inquirer/input");
  return (await answered(input({ message: question }, streams)))?.trim() === word;
}

/** Inquirer's errors for a prompt that ended without an answer. */
const withoutAnswer = new Set(["AbortPromptError", "ExitPromptError", "CancelPromptError"]);

async function answered<Answer>(prompt: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await prompt;
  } catch (error) {
    if (error instanceof Error && withoutAnswer.has(error.name)) return undefined;
    throw error;
  }
}

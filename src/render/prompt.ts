/** The two kinds of prompt, on stderr: yes or no, and typing a word to confirm. */
import { setImmediate } from "node:timers/promises";
import { terminalText } from "../text/control.js";
import type { TextStream } from "./text-stream.js";

export interface PromptStreams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean; setRawMode?(on: boolean): unknown };
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
  await discardInput(streams);
  return (await answered(confirm({ message: terminalText(question), default: false }, streams))) === true;
}

/** True only if exactly `word` is typed. Any other input declines, without a second try. */
export async function askToType(word: string, question: string, streams: PromptStreams): Promise<boolean> {
  const { default: input } = await import("@inquirer/input");
  await discardInput(streams);
  return (await answered(input({ message: terminalText(question) }, streams)))?.trim() === word;
}

/** Text that was typed before the question does not answer it. */
async function discardInput({ input }: PromptStreams): Promise<void> {
  // Otherwise the terminal keeps a line until Enter.
  input.setRawMode?.(true);
  input.resume();
  // The first turn of the event loop starts to read, the second one reads.
  await setImmediate();
  await setImmediate();
  input.pause();
  input.setRawMode?.(false);
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

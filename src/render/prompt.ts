/** The two kinds of prompt, on stderr: yes or no, and typing a word to confirm. */
import { setImmediate } from "node:timers/promises";
import { Failure } from "../errors/failure.js";
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

/**
 * False for "no", for plain Enter, for the end of input (Ctrl-D), and for a prompt that the signal aborts.
 * @throws ARO-RUN-004 for Ctrl-C, which a prompt reads as a key
 */
export async function askYesNo(question: string, streams: PromptStreams): Promise<boolean> {
  const { default: confirm } = await import("@inquirer/confirm");
  return (await answered(streams, (open) => confirm({ message: terminalText(question), default: false }, open))) === true;
}

/** What is typed; empty at the end of input and if the signal aborts the prompt. @throws ARO-RUN-004 */
export async function askForText(question: string, streams: PromptStreams): Promise<string> {
  const { default: input } = await import("@inquirer/input");
  return (await answered(streams, (open) => input({ message: terminalText(question) }, open)))?.trim() ?? "";
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

async function answered<Answer>(streams: PromptStreams, ask: (open: PromptStreams) => Promise<Answer>): Promise<Answer | undefined> {
  await discardInput(streams);
  const { input, signal } = streams;
  const ended = new AbortController();
  const end = () => {
    ended.abort();
  };
  // At Ctrl-D and at the end of input, readline stops reading, and Inquirer would wait forever.
  input.once("pause", end);
  try {
    return await ask({ ...streams, signal: AbortSignal.any([signal, ended.signal]) });
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    if (name === "AbortPromptError") return undefined;
    if (name === "ExitPromptError") throw new Failure("ARO-RUN-004", "interrupted; nothing was changed", { next: ["rerun the command"] });
    throw error;
  } finally {
    input.removeListener("pause", end);
  }
}

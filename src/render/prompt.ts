/** The two kinds of prompt, on stderr: yes or no, and typing a word to confirm. */
import { createInterface } from "node:readline";
import { Failure } from "../errors/failure.js";
import { uncoloredText } from "../text/control.js";
import type { Screen } from "./screen.js";
import type { TextStream } from "./text-stream.js";
import { wrapped } from "./wrapped.js";

type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean; setRawMode?(on: boolean): unknown };

export interface PromptStreams {
  readonly input: Input;
  readonly output: Screen;
  readonly signal: AbortSignal;
  /** Waits for one turn of the event loop. */
  turn(): Promise<void>;
}

/** A prompt needs a terminal for input and output. */
export function canAsk({ input, output }: Pick<PromptStreams, "input" | "output">): boolean {
  return input.isTTY === true && output.stream.isTTY === true;
}

/**
 * False for "no", for plain Enter, for the end of input (Ctrl-D), and for a prompt that the signal aborts.
 * @throws ARO-RUN-004 for Ctrl-C, which a prompt reads as a key
 */
export async function askYesNo(question: string, streams: PromptStreams): Promise<boolean> {
  if (!streams.output.live) return /^y(es)?$/i.test(await typedLine(`${question} (y/N)`, streams));
  const { default: confirm } = await import("@inquirer/confirm");
  const message = questionText(question, "(y/N) Yes".length, streams);
  return (await answered(streams, (open) => confirm({ message, default: false, theme: themeOf(streams) }, open))) === true;
}

/** What is typed; empty at the end of input and if the signal aborts the prompt. `length`: of the expected text. @throws ARO-RUN-004 */
export async function askForText(question: string, length: number, streams: PromptStreams): Promise<string> {
  if (!streams.output.live) return typedLine(question, streams);
  const { default: input } = await import("@inquirer/input");
  const message = questionText(question, length, streams);
  return (await answered(streams, (open) => input({ message, theme: themeOf(streams) }, open)))?.trim() ?? "";
}

/** For a terminal whose lines are not redrawn. Empty at the end of input and if the signal aborts the prompt. */
async function typedLine(question: string, streams: PromptStreams): Promise<string> {
  await discardInput(streams);
  const { input, output, signal } = streams;
  if (signal.aborted) return "";
  const lines = createInterface({ input, terminal: false });
  output.stream.write(`${wrapped(uncoloredText(question), output.width() - 1).join("\n")} `);
  return new Promise((resolve) => {
    const end = (line: string) => {
      signal.removeEventListener("abort", endEmpty);
      // Closing also ends with an empty line.
      resolve(line.trim());
      lines.close();
    };
    const endEmpty = () => {
      end("");
    };
    lines.once("line", end);
    lines.once("close", endEmpty);
    signal.addEventListener("abort", endEmpty);
  });
}

/** Wrapped so that an answer of this length fits beside its last line. */
function questionText(question: string, answerLength: number, { output }: PromptStreams): string {
  const headWidth = 2;
  const lines = wrapped(uncoloredText(question), Math.max(20, output.width() - headWidth - answerLength - 2));
  return lines.join(`\n${" ".repeat(headWidth)}`);
}

/** An answer has no check mark, because it may decline. The colors are those of the stream. */
function themeOf({ output: { paint } }: PromptStreams) {
  return {
    prefix: paint.cyan("?"),
    style: {
      answer: (text: string) => paint.cyan(text),
      message: (text: string) => paint.bold(text),
      defaultAnswer: (text: string) => paint.dim(`(${text})`),
      error: (text: string) => paint.red(`> ${text}`),
    },
  };
}

/** Text that was typed before the question does not answer it. */
async function discardInput({ input, turn }: PromptStreams): Promise<void> {
  // Otherwise the terminal keeps a line until Enter.
  input.setRawMode?.(true);
  input.resume();
  // The first turn of the event loop starts to read, the second one reads.
  await turn();
  await turn();
  input.pause();
  input.setRawMode?.(false);
}

interface Open {
  readonly input: Input;
  readonly output: TextStream;
  readonly signal: AbortSignal;
}

async function answered<Answer>(streams: PromptStreams, ask: (open: Open) => Promise<Answer>): Promise<Answer | undefined> {
  await discardInput(streams);
  const { input, output, signal } = streams;
  const ended = new AbortController();
  const end = () => {
    ended.abort();
  };
  // At Ctrl-D and at the end of input, readline stops reading, and Inquirer would wait forever.
  input.once("pause", end);
  try {
    return await ask({ input, output: output.stream, signal: AbortSignal.any([signal, ended.signal]) });
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    if (name === "AbortPromptError") return undefined;
    if (name === "ExitPromptError") throw new Failure("ARO-RUN-004", "interrupted; nothing was changed", { next: ["rerun the command"] });
    throw error;
  } finally {
    input.removeListener("pause", end);
  }
}

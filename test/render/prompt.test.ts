import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { askForText, askYesNo, canAsk } from "../../src/render/prompt.js";
import { fakeScreen } from "./fakes.js";

function openPrompt() {
  const { screen, text } = fakeScreen({ terminal: true });
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const stop = new AbortController();
  return { input, stop, text, streams: { input, output: screen.stream, signal: stop.signal } };
}

/** Types or aborts after the question is on the screen. */
async function answer<T>(answered: Promise<T>, { text }: { text(): string }, reply: () => void): Promise<T> {
  while (!text().includes("sure?")) await new Promise((resolve) => setImmediate(resolve));
  reply();
  return answered;
}

describe("a prompt", () => {
  it.each([
    ["y\r", true],
    ["yes\r", true],
    ["n\r", false],
    ["\r", false],
  ])("answered with %j is %s", async (typed, expected) => {
    const prompt = openPrompt();
    expect(await answer(askYesNo("sure?", prompt.streams), prompt, () => prompt.input.write(typed))).toBe(expected);
  });

  it("that is aborted is declined", async () => {
    const prompt = openPrompt();
    expect(await answer(askYesNo("sure?", prompt.streams), prompt, () => prompt.stop.abort())).toBe(false);
  });

  it("that is ended with Ctrl-C is interrupted", async () => {
    const prompt = openPrompt();
    const interrupted = answer(askYesNo("sure?", prompt.streams), prompt, () => prompt.input.write("\u0003"));
    await expect(interrupted).rejects.toMatchObject({ code: "ARO-RUN-004" });
  });

  it("that is ended with Ctrl-D, or by the end of input, is declined", async () => {
    for (const end of [(input: PassThrough) => input.write("\u0004"), (input: PassThrough) => input.end()]) {
      const prompt = openPrompt();
      expect(await answer(askYesNo("sure?", prompt.streams), prompt, () => void end(prompt.input))).toBe(false);
    }
  });

  it.each([
    ["demo-x7k2\r", "demo-x7k2"],
    [" demo \r", "demo"],
    ["\r", ""],
    ["\u0004", ""],
  ])("for text, answered with %j, is %j", async (typed, expected) => {
    const prompt = openPrompt();
    const typing = askForText("sure?", prompt.streams);
    expect(await answer(typing, prompt, () => prompt.input.write(typed))).toBe(expected);
  });

  it("is possible only if input and output are a terminal", () => {
    const { input, streams } = openPrompt();
    expect(canAsk(streams)).toBe(true);
    expect(canAsk({ input, output: fakeScreen().screen.stream })).toBe(false);
    expect(canAsk({ input: new PassThrough(), output: streams.output })).toBe(false);
  });
});

import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/azure/clock.js";
import { askForText, askYesNo, canAsk } from "../../src/render/prompt.js";
import { fakeScreen } from "./fakes.js";

function openPrompt() {
  const { screen, text } = fakeScreen({ terminal: true });
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const stop = new AbortController();
  return { input, stop, text, streams: { input, output: screen, signal: stop.signal, turn: systemClock.turn } };
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
    const typing = askForText("sure?", 9, prompt.streams);
    expect(await answer(typing, prompt, () => prompt.input.write(typed))).toBe(expected);
  });

  it("has the colors of its stream, and no check mark after an answer that may decline", async () => {
    const prompt = openPrompt();
    await answer(askYesNo("sure?", prompt.streams), prompt, () => prompt.input.write("n\r"));
    const typed = openPrompt();
    await answer(askForText("sure?", 9, typed.streams), typed, () => typed.input.write("no\r"));
    for (const { text } of [prompt, typed]) expect(text()).not.toMatch(/[✔✓]|\u001b\[\d*m/u);
  });

  it("breaks a long question between words, and leaves room for the answer", async () => {
    const prompt = openPrompt();
    const question = "Type demo-x7k2 to confirm the deletion in the subscription with this long name, sure?";
    await answer(askForText(question, 9, prompt.streams), prompt, () => prompt.input.write("demo-x7k2\r"));
    expect(stripVTControlCharacters(prompt.text())).toContain("the subscription with\n  this long name, sure? demo-x7k2\n");
  });

  it("is possible only if input and output are a terminal", () => {
    const { input, streams } = openPrompt();
    expect(canAsk(streams)).toBe(true);
    expect(canAsk({ input, output: fakeScreen().screen })).toBe(false);
    expect(canAsk({ input: new PassThrough(), output: streams.output })).toBe(false);
  });
});

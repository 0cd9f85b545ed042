import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { askToType, askYesNo, canAsk } from "../../src/render/prompt.js";
import { fakeScreen } from "./fakes.js";

function asking() {
  const { screen, text } = fakeScreen({ terminal: true });
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const stop = new AbortController();
  return { input, stop, text, streams: { input, output: screen.stream, signal: stop.signal } };
}

/** Answers once the question is on the screen. */
async function answer<T>(asked: Promise<T>, { text }: { text(): string }, reply: () => void): Promise<T> {
  while (!text().includes("sure?")) await new Promise((resolve) => setImmediate(resolve));
  reply();
  return asked;
}

describe("a question", () => {
  it.each([
    ["y\r", true],
    ["yes\r", true],
    ["n\r", false],
    ["\r", false],
  ])("answered with %j is %s", async (typed, expected) => {
    const question = asking();
    expect(await answer(askYesNo("sure?", question.streams), question, () => question.input.write(typed))).toBe(expected);
  });

  it("that is aborted is declined", async () => {
    const question = asking();
    expect(await answer(askYesNo("sure?", question.streams), question, () => question.stop.abort())).toBe(false);
  });

  it("that is left by Ctrl-C is declined", async () => {
    const question = asking();
    expect(await answer(askYesNo("sure?", question.streams), question, () => question.input.write("\u0003"))).toBe(false);
  });

  it.each([
    ["demo-x7k2\r", true],
    ["demo\r", false],
    ["y\r", false],
    ["\r", false],
  ])("that asks for the infra id and gets %j is %s", async (typed, expected) => {
    const question = asking();
    const asked = askToType("demo-x7k2", "sure?", question.streams);
    expect(await answer(asked, question, () => question.input.write(typed))).toBe(expected);
  });

  it("can be asked only where both ends are a terminal", () => {
    const { input, streams } = asking();
    expect(canAsk(streams)).toBe(true);
    expect(canAsk({ input, output: fakeScreen().screen.stream })).toBe(false);
    expect(canAsk({ input: new PassThrough(), output: streams.output })).toBe(false);
  });
});

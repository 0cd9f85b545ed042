/** A screen that stores its output, a ticker without real time, and the lines that a terminal would show. */
import { Writable } from "node:stream";
import type { Ticker } from "../../src/render/ticker.js";
import { createScreen, type Screen } from "../../src/render/screen.js";

export interface FakeScreen {
  readonly screen: Screen;
  /** The output so far, with its escape sequences. */
  text(): string;
}

export interface FakeScreenOptions {
  readonly terminal?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  readonly environment?: NodeJS.ProcessEnv;
  readonly colour?: "auto" | "always" | "never";
}

/** By default, color is off and the locale is UTF-8. */
export function fakeScreen(options: FakeScreenOptions = {}): FakeScreen {
  const { terminal = false, columns, rows, environment = { LANG: "C.UTF-8" }, colour = "never" } = options;
  let text = "";
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      text += chunk;
      done();
    },
  });
  const displayOptions = {
    ...(terminal && { isTTY: true }),
    ...(columns !== undefined && { columns }),
    ...(rows !== undefined && { rows }),
  };
  const now = () => new Date("2026-01-31T12:00:00Z");
  return { screen: createScreen({ stream: Object.assign(stream, displayOptions), color: colour, environment, now }), text: () => text };
}

export interface FakeTicker extends Ticker {
  /** Advances the time, and calls each timer when it is due. */
  advance(ms: number): void;
  /** The number of active timers. */
  timers(): number;
}

export function fakeTicker(): FakeTicker {
  let now = 0;
  const timers = new Set<{ ms: number; due: number; tick: () => void }>();
  return {
    now: () => now,
    every(ms, tick) {
      const timer = { ms, due: now + ms, tick };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const next = [...timers].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)[0];
        if (next === undefined) break;
        now = next.due;
        next.due += next.ms;
        next.tick();
      }
      now = end;
    },
    timers: () => timers.size,
  };
}

/**
 * The lines that a terminal shows after this output.
 * @throws Error for a sequence that the live view does not send.
 */
export function visibleLines(output: string): string[] {
  const lines: string[] = [""];
  let row = 0;
  let column = 0;
  const tokens = output.match(/\u001b\[\??\d*[A-Za-z]|\n|[^\u001b\n]+|\u001b/gu) ?? [];
  for (const token of tokens) {
    const [, count = "", verb] = /^\u001b\[(\??\d*)([A-Za-z])$/u.exec(token) ?? [];
    if (token === "\n") {
      row += 1;
      column = 0;
      lines[row] ??= "";
    } else if (verb === undefined) {
      if (token.startsWith("\u001b")) throw new Error(`unknown sequence ${JSON.stringify(token)}`);
      const line = (lines[row] ?? "").padEnd(column);
      lines[row] = line.slice(0, column) + token + line.slice(column + token.length);
      column += token.length;
    } else if (verb === "A") row = Math.max(0, row - Number(count || 1));
    else if (verb === "B") row = Math.min(lines.length - 1, row + Number(count || 1));
    else if (verb === "G") column = Math.max(0, Number(count || 1) - 1);
    else if (verb === "K") lines[row] = count === "2" ? "" : (lines[row] ?? "").slice(0, column);
    else if (!(verb === "h" || verb === "l") || count !== "?2026") throw new Error(`unknown sequence ${JSON.stringify(token)}`);
  }
  return lines;
}

/** When a stream has color: the flag, the variables, and the terminal. */
import { describe, expect, it } from "vitest";
import { wantsColor } from "../../src/render/color.js";

const rows: readonly (readonly [string, Parameters<typeof wantsColor>[0]["choice"], NodeJS.ProcessEnv, boolean, boolean])[] = [
  ["a terminal has color", "auto", { TERM: "xterm" }, true, true],
  ["a terminal without TERM has color", "auto", {}, true, true],
  ["a pipe has no color", "auto", { TERM: "xterm" }, false, false],
  ["a dumb terminal has no color", "auto", { TERM: "dumb" }, true, false],
  ["NO_COLOR disables color on a terminal", "auto", { NO_COLOR: "1" }, true, false],
  ["an empty NO_COLOR is ignored", "auto", { NO_COLOR: "" }, true, true],
  ["FORCE_COLOR enables color in a pipe", "auto", { FORCE_COLOR: "1" }, false, true],
  ["FORCE_COLOR=0 disables color on a terminal", "auto", { FORCE_COLOR: "0" }, true, false],
  ["NO_COLOR overrides FORCE_COLOR", "auto", { NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
  ["--color always overrides NO_COLOR", "always", { NO_COLOR: "1" }, false, true],
  ["--color never overrides FORCE_COLOR", "never", { FORCE_COLOR: "1" }, true, false],
  ["CI alone has no effect", "auto", { CI: "true" }, false, false],
];

describe("color of a stream", () => {
  it.each(rows)("%s", (_name, choice, environment, isTerminal, expected) => {
    expect(wantsColor({ choice, environment, isTerminal })).toBe(expected);
  });
});

import { describe, expect, it } from "vitest";
import { wantsColor } from "../../src/render/color.js";

const rows: readonly (readonly [string, Parameters<typeof wantsColor>[0]["choice"], NodeJS.ProcessEnv, boolean, boolean])[] = [
  ["a terminal gets colour", "auto", { TERM: "xterm" }, true, true],
  ["a terminal without TERM gets colour", "auto", {}, true, true],
  ["a pipe gets none", "auto", { TERM: "xterm" }, false, false],
  ["a dumb terminal gets none", "auto", { TERM: "dumb" }, true, false],
  ["NO_COLOR takes it from a terminal", "auto", { NO_COLOR: "1" }, true, false],
  ["an empty NO_COLOR does not count", "auto", { NO_COLOR: "" }, true, true],
  ["FORCE_COLOR gives it to a pipe", "auto", { FORCE_COLOR: "1" }, false, true],
  ["FORCE_COLOR=0 takes it from a terminal", "auto", { FORCE_COLOR: "0" }, true, false],
  ["NO_COLOR wins over FORCE_COLOR", "auto", { NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
  ["--color always wins over NO_COLOR", "always", { NO_COLOR: "1" }, false, true],
  ["--color never wins over FORCE_COLOR", "never", { FORCE_COLOR: "1" }, true, false],
  ["CI alone changes nothing", "auto", { CI: "true" }, false, false],
];

describe("colour on one stream", () => {
  it.each(rows)("%s", (_name, choice, environment, isTerminal, expected) => {
    expect(wantsColor({ choice, environment, isTerminal })).toBe(expected);
  });
});

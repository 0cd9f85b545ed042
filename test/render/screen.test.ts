import { describe, expect, it } from "vitest";
import { painted } from "../../src/render/painted.js";
import { fakeScreen } from "./fakes.js";

describe("a screen", () => {
  it("is live on a terminal, and not on a pipe or a dumb terminal", () => {
    expect(fakeScreen({ terminal: true }).screen.live).toBe(true);
    expect(fakeScreen({ terminal: false }).screen.live).toBe(false);
    expect(fakeScreen({ terminal: true, environment: { TERM: "dumb" } }).screen.live).toBe(false);
  });

  it("has the width of its stream, or 80 if the stream has none or a pseudoterminal reports 0", () => {
    expect(fakeScreen({ columns: 120 }).screen.width()).toBe(120);
    expect(fakeScreen().screen.width()).toBe(80);
    expect(fakeScreen({ terminal: true, columns: 0 }).screen.width()).toBe(80);
  });

  it.each([
    [{}, "*"],
    [{ LANG: "en_US.UTF-8" }, "●"],
    [{ LANG: "en_US.utf8" }, "●"],
    [{ LANG: "en_US.UTF-8", LC_CTYPE: "C" }, "*"],
    [{ LANG: "C", LC_CTYPE: "C", LC_ALL: "C.UTF-8" }, "●"],
    [{ LANG: "C.UTF-8", LC_ALL: "" }, "●"],
  ])("in the locale %j marks a running step with %s", (environment, mark) => {
    expect(fakeScreen({ environment }).screen.marks.running).toBe(mark);
  });

  it("ends each text with one line break", () => {
    const { screen, text } = fakeScreen();
    screen.print("a");
    screen.print("b\n");
    expect(text()).toBe("a\nb\n");
  });

  it("prints no color of others, and shows ours where color is on", () => {
    const red = "\u001b[31mred\u001b[39m";
    const [on, off] = [fakeScreen({ colour: "always" }), fakeScreen()];
    for (const { screen } of [on, off]) {
      screen.print(red);
      screen.show(painted(red));
    }
    expect(on.text()).toBe(` [31mred [39m\n${red}\n`);
    expect(off.text()).not.toContain("\u001b");
  });

  it("ends what a CI system would obey, wherever it is, and changes nothing like it", () => {
    const { screen, text } = fakeScreen();
    const alike = ["see ## Notes [1]", "::1 and fe80::1", "a::b", "# [x]", "section_start:", "::/0"];
    screen.print(["##vso[a]b", "x ##[group]y", " \t::error::z", "##TeamCity[c]", "section_end:1:a", ...alike].join("\n"));
    const [vso, group, error, city, section, ...others] = text().trimEnd().split("\n");
    expect([vso, group, error, city, section]).toEqual([
      "## vso[a]b",
      "x ## [group]y",
      " \t: :error::z",
      "## TeamCity[c]",
      "section_end: 1:a",
    ]);
    expect(others).toEqual(alike);
  });

  it("ignores a closed pipe and a full disk", () => {
    const { screen } = fakeScreen();
    for (const code of ["EPIPE", "ENOSPC"]) {
      expect(() => screen.stream.emit("error", Object.assign(new Error(code), { code }))).not.toThrow();
    }
  });
});

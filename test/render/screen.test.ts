import { describe, expect, it } from "vitest";
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

  it("ignores a closed pipe and a full disk", () => {
    const { screen } = fakeScreen();
    for (const code of ["EPIPE", "ENOSPC"]) {
      expect(() => screen.stream.emit("error", Object.assign(new Error(code), { code }))).not.toThrow();
    }
  });
});

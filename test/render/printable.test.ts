import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { duration, runningDuration } from "../../src/render/duration.js";
import { cutMiddle, printable, shorten } from "../../src/render/printable.js";

describe("printable text", () => {
  it("has no escape sequences, control characters or characters that reorder the text", () => {
    expect(printable("a\u001b[31mb\u001b]8;;http://x\u0007c\r\nd\u202ee\u0000f\tg")).toBe("abc d e f g");
  });

  it("is not changed if it is printable", () => {
    expect(printable("réseau 网络 demo-x7k2")).toBe("réseau 网络 demo-x7k2");
  });

  it("has no control character for any input, and is not changed a second time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const once = printable(text);
        expect(once).not.toMatch(/\p{Cc}/u);
        expect(printable(once)).toBe(once);
      }),
    );
  });

  it("is shortened to at most the width, and keeps its start", () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(40), fc.constantFrom("…", "..."), (text, width, ellipsis) => {
        const short = shorten(text, width, ellipsis);
        expect([...short].length).toBeLessThanOrEqual(width);
        if ([...text].length <= width) expect(short).toBe(text);
      }),
    );
  });

  it("keeps its end if the middle is omitted", () => {
    expect(cutMiddle("/subscriptions/0000/networkSecurityGroups/demo-nsg", 30, "…")).toBe("/subscrip…urityGroups/demo-nsg");
  });
});

describe("durations", () => {
  it.each([
    [0, "0.0s"],
    [440, "0.4s"],
    [9_949, "9.9s"],
    [9_950, "10s"],
    [41_213, "41s"],
    [59_499, "59s"],
    [59_500, "1m00s"],
    [125_000, "2m05s"],
    [3_599_600, "1h00m"],
    [3_725_000, "1h02m"],
  ])("%d ms is %s", (ms, text) => {
    expect(duration(ms)).toBe(text);
  });

  it("are whole seconds while a step runs", () => {
    expect([0, 999, 9_999, 59_999, 61_000].map(runningDuration)).toEqual(["0s", "0s", "9s", "59s", "1m01s"]);
  });
});

/** Which packages can be bundled, and the notices with their licenses. */
import { expect, test } from "vitest";
import { readRecord } from "../../tools/bundle/build.js";
import { noticesText, packagesOf } from "../../tools/bundle/notices.js";

const good = { name: "good", version: "1.2.3", license: "MIT", text: "Permission is hereby granted" };

test("the notices contain the name, version, license and text of each package", () => {
  const text = noticesText([good]);
  for (const part of ["good 1.2.3", "License: MIT", "Permission is hereby granted"]) expect(text).toContain(part);
});

test("a package without a license text, or with a license that is not in the list, fails the build with its name", () => {
  expect(() => noticesText([good, { ...good, name: "bare", text: undefined }])).toThrow("bare@1.2.3 has no license text");
  expect(() => noticesText([{ ...good, license: "GPL-3.0" }])).toThrow('the license "GPL-3.0" of good@1.2.3');
  expect(() => noticesText([{ ...good, license: "" }])).toThrow("good@1.2.3");
});

test("one allowed alternative is enough", () => {
  expect(noticesText([{ ...good, license: "(BSD-3-Clause OR GPL-2.0)" }])).toContain("BSD-3-Clause");
});

test("the bundled packages are found by their files, each once", () => {
  const files = Object.values(readRecord()?.chunks ?? {}).flat();
  const names = packagesOf(files).map(({ name }) => name);
  expect(names).toContain("yaml");
  expect(names).toContain("@azure/arm-network");
  expect(names).not.toContain("vitest");
});

/** Which packages may be bundled, and what is passed on of their licences. */
import { expect, test } from "vitest";
import { readRecord } from "../../tools/bundle/build.js";
import { noticesText, packagesOf } from "../../tools/bundle/notices.js";

const good = { name: "good", version: "1.2.3", license: "MIT", text: "Permission is hereby granted" };

test("each package has its name, version, licence and text", () => {
  const text = noticesText([good]);
  for (const part of ["good 1.2.3", "License: MIT", "Permission is hereby granted"]) expect(text).toContain(part);
});

test("a package without a licence text, or with a licence that is not on the list, ends the build by name", () => {
  expect(() => noticesText([good, { ...good, name: "bare", text: undefined }])).toThrow("bare@1.2.3 has no licence text");
  expect(() => noticesText([{ ...good, license: "GPL-3.0" }])).toThrow('good@1.2.3 has the licence "GPL-3.0"');
  expect(() => noticesText([{ ...good, license: "" }])).toThrow("good@1.2.3");
});

test("of alternatives one that is allowed is enough", () => {
  expect(noticesText([{ ...good, license: "(BSD-3-Clause OR GPL-2.0)" }])).toContain("BSD-3-Clause");
});

test("what is bundled is found by its files, each package once", () => {
  const files = Object.values(readRecord()?.chunks ?? {}).flat();
  const names = packagesOf(files).map(({ name }) => name);
  expect(names).toContain("commander");
  expect(names).toContain("@azure/arm-network");
  expect(names).not.toContain("vitest");
});

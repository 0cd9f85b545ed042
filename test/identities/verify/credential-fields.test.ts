/** Decodes a credential's JSON as the CSI driver does, and parses its times as Go does: pods cannot use what these reject. */
import { expect, test } from "vitest";
import { decoded, isRfc3339 } from "../../../src/identities/verify/credential-fields.js";

const advice = { rewriteSecret: () => "" };
const text = JSON.stringify({ client_id: "ÿÿ?>" });
const bytes = Buffer.from(text);

test.each([
  ["utf-8", text, true],
  ["hex", bytes.toString("hex"), true],
  ["hex", bytes.toString("hex").toUpperCase(), true],
  ["hex", `${bytes.toString("hex")}zz`, false],
  ["base64", bytes.toString("base64"), true],
  ["base64", bytes.toString("base64").replace(/.{8}/g, "$&\r\n"), true],
  ["base64", bytes.toString("base64").replace(/.{8}/, "$& "), false],
  ["base64", bytes.toString("base64url"), false],
  ["base64", bytes.toString("base64").replace(/=+$/, ""), false],
] as const)("in %s, %s is decoded: %s", (encoding, value, fits) => {
  const entry = { secretName: "demo-cpo", encoding };
  expect(decoded(value, entry, advice)).toMatchObject({ passed: fits });
});

test.each([
  ["2026-01-31T10:00:00Z", true],
  ["2026-01-31T23:59:59.123+01:00", true],
  ["2028-02-29T00:00:00-08:00", true],
  ["2026-02-29T00:00:00Z", false],
  ["2026-01-31T24:00:00Z", false],
  ["2026-01-31T10:00:60Z", false],
  ["2026-13-01T00:00:00Z", false],
  ["2026-01-31T10:00:00", false],
  ["2026-01-31T10:00:00+0100", false],
  ["2026-01-31 10:00:00Z", false],
  ["2026-01-31T10:00Z", false],
])("Go accepts %s as RFC 3339: %s", (time, fits) => {
  expect(isRfc3339(time)).toBe(fits);
});

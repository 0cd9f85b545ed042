import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { discoveryDocument, documentText, keySet, keysIn, mergeKeys, hasContent } from "../../src/oidc/documents.js";
import type { Jwk } from "../../src/oidc/signing-key.js";

const key = (kid: string): Jwk => ({ use: "sig", kty: "RSA", kid, alg: "RS256", n: `n-${kid}`, e: "AQAB" });
const kids = (keys: readonly { readonly kid: string }[]) => keys.map(({ kid }) => kid);

describe("discovery document", () => {
  test("has exactly the members that an issuer of service-account tokens publishes", () => {
    expect(discoveryDocument("https://demo.blob.core.windows.net/demo")).toEqual({
      issuer: "https://demo.blob.core.windows.net/demo",
      jwks_uri: "https://demo.blob.core.windows.net/demo/openid/v1/jwks",
      response_types_supported: ["id_token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
    });
  });

  test("says the same in another layout, and nothing else with another member", () => {
    const document = discoveryDocument("https://a/b");
    expect(hasContent(JSON.stringify(document), document)).toBe(true);
    expect(hasContent(documentText({ ...document, claims_supported: [] }), document)).toBe(false);
    expect(hasContent("<html>", document)).toBe(false);
  });
});

describe("key set", () => {
  test("is read back as it was written, four spaces deep", () => {
    const text = documentText(keySet([key("a"), key("b")]));
    expect(text).toMatch(/^\{\n {4}"keys": \[\n {8}\{\n {12}"use": "sig",\n/);
    expect(keysIn(text)).toEqual([key("a"), key("b")]);
  });

  test.each([[""], ["{}"], ['{"keys":{}}'], ['{"keys":[{}]}'], ["[]"], ["<html>"]])("%j is none", (text) => {
    expect(keysIn(text)).toBeUndefined();
  });
});

describe("mergeKeys", () => {
  test("adds a second key beside the first, and the same one only once", () => {
    expect(mergeKeys([key("a")], [key("b")], [])).toEqual([key("a"), key("b")]);
    expect(mergeKeys([key("a"), key("b")], [key("b")], [])).toEqual([key("a"), key("b")]);
  });

  test("puts a key right whose members were published otherwise", () => {
    expect(mergeKeys([{ kid: "a" }], [key("a")], [])).toEqual([key("a")]);
  });

  const someKids = fc.uniqueArray(fc.constantFrom(..."abcdefgh"));
  test("whatever is published, added and retired: nothing is lost, nothing retired stays, doing it again changes nothing", () => {
    fc.assert(
      fc.property(someKids, someKids, someKids, (published, added, retired) => {
        const once = mergeKeys(published.map(key), added.map(key), retired);
        const wanted = new Set([...published, ...added].filter((kid) => !retired.includes(kid)));
        expect(kids(once).length).toBe(wanted.size);
        expect(new Set(kids(once))).toEqual(wanted);
        expect(mergeKeys(once, added.map(key), retired)).toEqual(once);
      }),
    );
  });
});

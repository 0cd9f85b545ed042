/** The net for secrets: each form in which a text can carry one, what is like it and stays, and texts that try to make it slow. */
import { describe, expect, test } from "vitest";
import { redacted } from "../../src/text/redact.js";

const secret = "x8Q~Zk3.s_P-0w";
const base64 = "dXNlcjpodW50ZXIy";
const pem = `-----BEGIN PRIVATE KEY-----\n${"QUJD".repeat(16)}\n-----END PRIVATE KEY-----`;
const pem64 = Buffer.from(pem).toString("base64");
const jwt = "eyJhbGciOiJSUzI1NiJ9.eyJvaWQiOiJ4In0.c2lnbmF0dXJl";
const inJson = JSON.stringify({ clientSecret: `a "quoted" ${secret}`, appId: "app" });

const forms: readonly (readonly [what: string, text: string, expected: string])[] = [
  ["a member of JSON", `{"clientSecret":"${secret}","appId":"app"}`, '{"clientSecret":"***","appId":"app"}'],
  ["a value with spaces", `{"password": "two ${secret}, words"}`, '{"password": "***"}'],
  ["a value with quotes", inJson, '{"clientSecret":"***","appId":"app"}'],
  [
    "JSON in a string",
    JSON.stringify({ body: JSON.stringify({ secretText: secret, appId: "app" }) }),
    '{"body":"{\\"secretText\\":\\"***\\",\\"appId\\":\\"app\\"}"}',
  ],
  ["JSON in a string, with quotes", JSON.stringify(inJson), '"{\\"clientSecret\\":\\"***\\",\\"appId\\":\\"app\\"}"'],
  ["the form of a token request", `client_id=app&client_secret=${secret}&scope=x`, "client_id=app&client_secret=***&scope=x"],
  ["an encoded form", `client_id%3Dapp%26client_secret%3D${secret}`, "client_id%3Dapp%26client_secret%3D***"],
  ["an encoded JSON", encodeURIComponent(`{"secretText":"${secret}"}`), "%7B%22secretText%22%3A%22***"],
  ["what is encoded twice", encodeURIComponent(encodeURIComponent(`password=${secret}`)), "password%253D***"],
  ["a variable", `AZURE_CLIENT_SECRET=${secret} az`, "AZURE_CLIENT_SECRET=*** az"],
  ["a member of YAML", `password: ${secret}\nuser: me`, "password: ***\nuser: me"],
  ["single quotes", `--password='a ${secret}' -v`, "--password='***' -v"],
  ["an assertion", `client_assertion=${secret}&x=1`, "client_assertion=***&x=1"],
  ["an access token", `"access_token":"${secret}","expires_in":3599`, '"access_token":"***","expires_in":3599'],
  ["a refresh token", `refreshToken: ${secret}`, "refreshToken: ***"],
  ["an ID token", `id_token=${secret}&state=1`, "id_token=***&state=1"],
  ["a user and a password in a URL", `proxy http://me:${secret}@proxy.example.com:3128/x`, "proxy http://me:***@proxy.example.com:3128/x"],
  ["a password with @ in a URL", `socks5://me:a@${secret}@proxy`, "socks5://me:***@proxy"],
  ["an encoded user and password", `https%3A%2F%2Fme%3A${secret}%40proxy%2F`, "https%3A%2F%2Fme%3A***%40proxy%2F"],
  ["the query of a URL", `GET https://a.example.com/b?code=${secret} failed`, "GET https://a.example.com/b failed"],
  ["a SAS", `sv=2025-07-05&sig=${secret}%3D&sp=r`, "sv=2025-07-05&sig=***&sp=r"],
  ["an encoded SAS", `%3Fsig%3D${secret}`, "%3Fsig%3D***"],
  ["a connection string", `AccountName=a;AccountKey=${base64}==;EndpointSuffix=b`, "AccountName=a;AccountKey=***;EndpointSuffix=b"],
  ["a shared access key", `SharedAccessKey=${base64}=;x=1`, "SharedAccessKey=***;x=1"],
  ["a PEM", `key ${pem} end`, "key *** end"],
  ["a PEM that is cut off", pem.slice(0, 60), "***"],
  ["a PEM in JSON", JSON.stringify({ key: pem }), '{"key":"***"}'],
  ["an encoded PEM", `${encodeURIComponent(pem)}&x=1`, "***&x=1"],
  ["a PEM in base64", `key: ${pem64} end`, "key: *** end"],
  ["a PEM in base64, in lines", `${pem64.replace(/.{64}/g, "$&\n")}\nend`, "***\nend"],
  ["a token", `token ${jwt}, more`, "token ***, more"],
  ["an encoded token", `%22${jwt}%22`, "%22***%22"],
  ["Bearer", `Authorization: Bearer ${secret}`, "Authorization: Bearer ***"],
  ["Basic", `authorization: Basic ${base64}=`, "authorization: Basic ***"],
  ["an encoded Basic", `Basic%20${base64}%3D`, "Basic%20***"],
  ["SharedKey", `Authorization: SharedKey demo:${base64}=`, "Authorization: SharedKey ***"],
];

test.each(forms)("%s", (_what, text, expected) => {
  expect(redacted(text)).toBe(expected);
  expect(redacted(expected)).toBe(expected);
});

test.each([
  "Basic authentication is disabled for this account",
  "the Basic SKU is not available; use Standard",
  "SharedKey authorization is not permitted; allowSharedKeyAccess: false",
  "passwordCredentials and keyCredentials of the application",
  "AADSTS7000215: Invalid client secret provided. Ensure the secret being sent is the client secret value",
  "AADSTS50126: Error validating credentials due to invalid username or password.",
  "accessTokenAcceptedVersion: 2",
  "client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
  "the design: signed, config=1, signature=none",
  "https://management.azure.com:443/subscriptions/x/resourceGroups/a@b",
  "ssh://git@example.com/repository and me@example.com",
  "eyJ is how a token begins",
  "validtoken: none",
  "secretName: demo-cpo, keyName=etcd, KeyVaultErrorCode=Forbidden",
])("is not a secret: %s", (text) => {
  expect(redacted(text)).toBe(text);
});

describe("1 MB of one beginning after the other ends within the limit of a test", () => {
  test.each([
    ..."https://|https://a:|://a:b|%3A%2F%2Fa%3A|-----BEGIN |-----BEGIN A-----END |LS0tLS1CRUdJTi|eyJaaaaaaaa-|%20eyJaaaaaaaa-|Bearer |Basic a|SharedKey a|AccountKey=".split(
      "|",
    ),
    ...[
      'clientSecret\\":\\"',
      'clientSecret":"\\',
      'password\\\\\\"',
      "password   ",
      "sig=",
      "password='",
      "%25",
      "\\",
      "a",
      " ",
      '"',
      "client_secret%3D%22",
    ],
  ])("%j", (unit) => {
    expect(redacted(unit.repeat(Math.ceil(1_000_000 / unit.length))).length).toBeGreaterThan(0);
  });
});

/** What the steps of a rotation, the credential secret and the signing key decide about what they find. */
import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { clouds } from "../../../src/azure/cloud.js";
import { controlPlaneComponents } from "../../../src/domain/components.js";
import { thumbprintOf } from "../../../src/domain/credential-secret.js";
import type { Step } from "../../../src/engine/step.js";
import { publicHalf } from "../../../src/oidc/signing-key.js";
import { keyPair } from "../../../src/issuer/steps/key-pair.js";
import { rotationGraph } from "../../../src/identities/steps/rotation.js";
import { decided } from "../../steps/decisions.js";
import { unasked } from "../../steps/every-graph.js";

const tenant = "5b5c0000-0000-4000-8000-000000000001";
const hour = 3_600_000;
const now = new Date("2026-07-11T12:00:00Z");
const ago = (hours: number) => new Date(now.getTime() - hours * hour);

const graph = rotationGraph(
  unasked,
  {
    key: { name: "demo", subscriptionId: tenant, groupName: "demo-common", vaultName: "kv-demo" },
    ...{
      tenantId: tenant,
      components: controlPlaneComponents,
      overlapMs: 2 * hour,
      minAgeMs: 24 * hour,
      keepsRoles: true,
      longestWaitMs: hour,
    },
  },
  { objectId: tenant, tenantId: tenant, principalType: "User" },
);
function step(id: string): Step<unknown> {
  const one = graph.steps.find((candidate) => candidate.id === id);
  if (one === undefined) throw new Error(`there is no step ${id}`);
  return one;
}

/** Two certificates in DER, as base64. */
const first =
  "MIIBbzCCARWgAwIBAgIUEHx5IDJZVdgRIxD3jzuv93bBFBUwCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBYTAgFw0yNjExMjIwMzI3MDVaGA8yMT" +
  "I2MTAyOTAzMjcwNVowDDEKMAgGA1UEAwwBYTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABOrz1C77rv0Wj2htZ8pHdAFZ5M4hnLD2G6JqUP5C" +
  "kTOaSL0NGQAkChVLfFpSGBE/ZdoutzCYyAbqC5etsI6IwvGjUzBRMB0GA1UdDgQWBBSMzTLOSuA4238fuSJDuNxjCgr1yTAfBgNVHSMEGDAWgB" +
  "SMzTLOSuA4238fuSJDuNxjCgr1yTAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQCyI+1uVFZNFzzb/fKQ5gMQG6I9OFSnRahQ" +
  "Z88/fneZ9AIgNaUYPgbrYn/FangNClWZ7tNZEKgoKjIAkLznbcBrPK4=";
const second =
  "MIIBbjCCARWgAwIBAgIUJQ3k7Al9/TwNZ4GfLhr/YUJhzZ0wCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBYjAgFw0yNjExMjIwMzI3MDVaGA8yMT" +
  "I2MTAyOTAzMjcwNVowDDEKMAgGA1UEAwwBYjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABDVbk/1FeoD9tAAKQSaBEHc95yD8O+QmvVjYePAp" +
  "xV4vFbRwN4++G2niZnCK52TtJ02+SW7NSccPErimz0igvYyjUzBRMB0GA1UdDgQWBBRmKH7X5F1vXE4cz4gFxLtr2ZDKjzAfBgNVHSMEGDAWgB" +
  "RmKH7X5F1vXE4cz4gFxLtr2ZDKjzAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCICMq3yrMyQh6NDSPgYJuAzOmXqzoWmW3VyIO" +
  "5fQRhgZlAiB54otuNVHYHdw/pG8b6Rojbq9gAbiWozaJNyz5mzC5Ow==";
const thumbprint = (der: string) => thumbprintOf(Buffer.from(der, "base64"));

const ours = { "aro-hcp-identities": "demo" };
const others = { "aro-hcp-identities": "other" };

const keyOnly = [first, second].map((key) => ({ key }));
const [a, b] = [thumbprint(first), thumbprint(second)];
const older = (old: string, hours?: number) => ({ thumbprint: old, supersededOn: hours === undefined ? undefined : ago(hours) });

/** The earlier versions, and how many hours ago the secret got their successors; the overlap is 2 hours, a run waits for 1. */
const retirements: readonly (readonly [what: string, versions: readonly object[], decision: string])[] = [
  ["no old key", [], "keep"],
  ["an old version that is not on the application", [older("0".repeat(40), 3)], "keep"],
  ["an old key after the overlap", [older(a, 3)], `remove: ${a} (the overlap has ended)`],
  ["an old key, whose overlap ends in an hour", [older(a, 1)], `remove: ${a} (the overlap ends during this run)`],
  ["an old key, whose overlap ends in more than an hour", [older(a, 0.99)], `keep (${a} stays until 2026-07-11T13:00:36Z)`],
  ["two old keys after the overlap", [older(a, 9), older(b, 3)], `remove: ${a}, ${b} (the overlap has ended)`],
  [
    "one old key after its overlap, and the one that the secret contained until half an hour ago",
    [older(a, 9), older(b)],
    `remove: ${a} (the overlap has ended; ${b} stays until 2026-07-11T13:30:00Z)`,
  ],
];

/** The outputs of a run that wrote the secret half an hour ago. */
const rotated = (versions: readonly object[]) => ({
  key: { keyCredentials: keyOnly },
  certificate: { older: versions, secretWrittenOn: ago(900) },
  credential: { writtenOn: ago(0.5) },
});

test.each(retirements)("retirement: %s", (_what, versions, decision) => {
  expect(decided(step("old-key-cpo"), {}, { outputs: { ...rotated(versions), proved: true }, now })).toBe(decision);
});

test("retirement: without a sign-in in this run, a key whose overlap has ended waits for the next one", () => {
  const outputs = { ...rotated([older(a, 3)]), proved: false };
  expect(decided(step("old-key-cpo"), {}, { outputs, now })).toBe(`keep (${a} stays until 2026-07-11T11:00:00Z)`);
});

const toProve = "create (the new credential must sign in before the old one is removed)";

test.each<readonly [what: string, versions: readonly object[], decision: string]>([
  ["no old key", [], "keep"],
  ["an old key after the overlap", [older(a, 3)], toProve],
  ["an old key, whose overlap ends in more than an hour", [older(a, 0.99)], "keep"],
  ["the key that this run replaces", [older(a)], toProve],
  ["an old version that is not on the application", [older("0".repeat(40))], "keep"],
])("sign-in: %s", (_what, versions, decision) => {
  expect(decided(step("proof-cpo"), {}, { outputs: rotated(versions), now })).toBe(decision);
});

test("retirement: while the secret is only planned to be written, the overlap has not begun", () => {
  const outputs = {
    key: { keyCredentials: keyOnly },
    certificate: { older: [older(a)], secretWrittenOn: ago(900) },
    credential: { writtenOn: ago(900) },
  };
  expect(decided(step("old-key-cpo"), {}, { outputs, now })).toBe(`keep (${a} stays until 2026-07-11T14:00:00Z)`);
});

const version = (der: string, hours: number) => ({ thumbprint: thumbprint(der), createdOn: ago(hours) });
const certificate = (tags: object = ours) => ({ certificate: { name: "demo-cpo-cert", properties: { tags } } });
const inSecret = thumbprint(second);

const rotations: readonly (readonly [what: string, live: object | undefined, decision: RegExp])[] = [
  ["no certificate", undefined, /^refuse ARO-OWN-003: .* does not exist$/],
  ["a deleted certificate", { versions: [] }, /^refuse ARO-OWN-003/],
  ["a certificate of another set", { ...certificate(others), versions: [version(second, 1)], inSecret }, /^refuse ARO-OWN-001/],
  ["a version that is being created", { ...certificate(), versions: [], pending: true }, /^wait: inProgress$/],
  ["the first version, an hour old", { ...certificate(), versions: [version(second, 1)], inSecret }, /^create \(a new version/],
  ["a rotation an hour ago", { ...certificate(), versions: [version(first, 99), version(second, 1)], inSecret }, /^keep$/],
  ["a rotation 24 hours ago", { ...certificate(), versions: [version(first, 99), version(second, 24)], inSecret }, /^create/],
  [
    "a newest version that is not in the secret",
    { ...certificate(), versions: [version(second, 99), version(first, 50)], inSecret },
    /^keep$/,
  ],
  ["no version", { ...certificate(), versions: [], inSecret }, /^keep$/],
];

test.each(rotations)("rotated certificate: %s", (_what, live, decision) => {
  expect(decided(step("certificate-cpo"), live, { outputs: {}, now })).toMatch(decision);
});

const keys: readonly (readonly [what: string, onApplication: readonly (string | null)[], decision: RegExp])[] = [
  ["no key", [], /^create \(the certificate is not on the application\)$/],
  ["the key of the certificate", [second], /^keep$/],
  ["the key of another certificate", [first], /^create/],
  ["the key of the certificate among others", [first, second], /^keep$/],
  ["a key without its value", [null], /^create/],
];

test.each(keys)("application key: %s", (_what, onApplication, decision) => {
  const live = { keyCredentials: onApplication.map((key) => ({ key })) };
  const outputs = { certificate: { thumbprint: thumbprint(second) } };
  expect(decided(step("application-key-cpo"), live, { outputs, now })).toMatch(decision);
});

const dates = { notBefore: new Date("2026-01-01T00:00:00Z"), expiresOn: new Date("2026-12-27T00:00:00Z") };
const renewal = { renew_after: "2026-08-29T00:00:00Z", cannot_renew_after: "2026-12-27T00:00:00Z" };
const pem = (der: string) => `-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----\n`;
const content = {
  authentication_endpoint: `${clouds.AzurePublicCloud.authorityHost}/`,
  ...{ client_id: "client", tenant_id: tenant, client_secret: Buffer.from(pem(second)).toString("base64") },
  ...{ not_before: "2026-01-01T00:00:00Z", not_after: "2026-12-27T00:00:00Z", ...renewal },
};
const properties = { contentType: "application/json", enabled: true, ...dates, tags: { ...ours, ...renewal } };
const secret = (change: object = {}, of: object = {}) => ({
  secret: { name: "demo-cpo", value: JSON.stringify({ ...content, ...change }), properties: { ...properties, ...of } },
});
const later = { not_before: "2026-07-11T12:00:01Z" };

const secrets: readonly (readonly [what: string, live: unknown, decision: RegExp])[] = [
  ["what it writes itself", secret(), /^keep$/],
  ["tags of others beside ours", secret({}, { tags: { ...properties.tags, team: "x" } }), /^keep$/],
  ["another sign-in endpoint", secret({ authentication_endpoint: "https://other/" }), /^update: authentication_endpoint$/],
  ["another application", secret({ client_id: "other" }), /^update: client_id$/],
  ["another tenant", secret({ tenant_id: "other" }), /^update: tenant_id$/],
  ["another certificate", secret({ client_secret: Buffer.from(pem(first)).toString("base64") }), /^update: certificate$/],
  ["no certificate", secret({ client_secret: "" }), /^update: certificate$/],
  ["another end", secret({ not_after: "2027-01-01T00:00:00Z" }), /^update: not_after$/],
  ["another renewal", secret({ renew_after: "2026-09-01T00:00:00Z" }), /^update: renew_after$/],
  ["another end of renewal", secret({ cannot_renew_after: "2026-09-01T00:00:00Z" }), /^update: cannot_renew_after$/],
  ["a start before that of the certificate", secret({ not_before: "2025-12-31T23:59:59Z" }), /^update: not_before, /],
  ["a start in a second", secret(later, { notBefore: new Date(later.not_before) }), /^update: not_before, /],
  ["another content type", secret({}, { contentType: "text/plain" }), /^update: contentType$/],
  ["another start in the vault", secret({}, { notBefore: ago(1) }), /^update: attributes\.nbf$/],
  ["another end in the vault", secret({}, { expiresOn: ago(1) }), /^update: attributes\.exp$/],
  ["a disabled one", secret({}, { enabled: false }), /^update: attributes\.enabled$/],
  ["no tag of renewal", secret({}, { tags: ours }), /^update: tags\.renew_after, tags\.cannot_renew_after$/],
  [
    "text that is no credential",
    { secret: { name: "demo-cpo", value: "hello", properties } },
    /^update: authentication_endpoint, client_id, /,
  ],
  ["a deleted one of another set", { deleted: { properties: { tags: others } } }, /^refuse ARO-VAULT-001/],
];

test.each(secrets)("credential secret: %s", (_what, live, decision) => {
  const outputs = { key: { clientId: "client" }, certificate: { ...dates, thumbprint: thumbprint(second) } };
  expect(decided(step("credential-cpo"), live, { outputs, now })).toMatch(decision);
});

const privatePem = () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const own = privatePem();
const other = privatePem();
const files = {
  privateFile: "private",
  publicFile: "public",
  privatePem: own,
  exposed: false,
  publicPem: publicHalf(own, ""),
  abandoned: [],
};

const pairs: readonly (readonly [what: string, live: object | undefined, decision: RegExp])[] = [
  ["no file", undefined, /^create \(there is no private key\)$/],
  ["both keys", files, /^keep$/],
  ["a public key alone", { ...files, privatePem: undefined }, /^refuse ARO-KEY-001: public /],
  ["a private key alone", { ...files, publicPem: undefined }, /^update: public key$/],
  ["the public key of another", { ...files, publicPem: publicHalf(other, "") }, /^update: public key$/],
  ["a private key that others can read", { ...files, exposed: true }, /^update: mode of the private key$/],
  ["drafts of a killed run", { ...files, abandoned: ["x", "y"] }, /^update: x, y$/],
  ["a private key that is no key", { ...files, privatePem: "hello" }, /^refuse ARO-KEY-/],
];

test.each(pairs)("signing key: %s", (_what, live, decision) => {
  expect(decided(keyPair("demo", unasked.connection.clock), live)).toMatch(decision);
});

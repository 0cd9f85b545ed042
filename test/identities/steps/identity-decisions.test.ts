/** What each step of `create identities` and `create oidc-issuer` decides about what it finds. */
import { describe, expect, test } from "vitest";
import { discoveryDocument, documentText } from "../../../src/oidc/documents.js";
import { asMade, decided, stepOf, type Situation } from "../../steps/decisions.js";

type Live = Readonly<Record<string, unknown>>;
/** What is found, in words; what that is; what is decided. */
type Case = readonly [what: string, live: unknown, decision: RegExp, situation?: Situation];

const ours = { "aro-hcp-identities": "demo" };
const others = { "aro-hcp-identities": "other" };

const subscription = "/subscriptions/5b5c0000-0000-4000-8000-000000000001";
const named = { ...ours, "aro-hcp-created-as": "kv-demo" };
const vault = { location: "eastus", tags: named, properties: { enableRbacAuthorization: true } };
const deletedVault = (group: string, tags: object, location = "eastus") => ({
  deleted: {
    properties: { tags, location, vaultId: `${subscription}/resourceGroups/${group}/providers/Microsoft.KeyVault/vaults/kv-demo` },
  },
});
const account = {
  ...{ location: "eastus", tags: ours, provisioningState: "Succeeded", minimumTlsVersion: "TLS1_2" },
  ...{ enableHttpsTrafficOnly: true, allowBlobPublicAccess: true, allowSharedKeyAccess: false },
};
const container = { publicAccess: "Blob" };
const identity = { location: "eastus", tags: ours, provisioningState: "Succeeded" };
const issuer = "https://demo.blob.core.windows.net/demo";
const subject = "system:serviceaccount:openshift-cluster-csi-drivers:azure-disk-csi-driver-node-sa";

const vaultCases: readonly Case[] = [
  ["nothing", undefined, /^create$/],
  ["one of the set", { vault }, /^keep$/],
  ["one of another set", { vault: { ...vault, tags: others } }, /^refuse ARO-OWN-001/],
  ["one elsewhere", { vault: { ...vault, location: "westus3" } }, /^refuse ARO-OWN-002/],
  ["one with access policies", { vault: { ...vault, properties: {} } }, /^update: properties\.enableRbacAuthorization$/],
  ["its name taken by somebody", { taken: "it is in use" }, /^refuse ARO-VAULT-002: the name of .* is taken$/],
  ["one without the record of its name", { vault: { ...vault, tags: ours } }, /^update: tags\.aro-hcp-created-as$/],
  ["the set's own, deleted", deletedVault("demo-common", ours), /^update: state$/],
  ["the set's own, deleted in a group in other letters", deletedVault("DEMO-common", ours), /^update: state$/],
  ["the set's own, deleted in another group", deletedVault("elsewhere", ours), /^refuse ARO-VAULT-001/],
  ["the set's own, deleted in another location", deletedVault("demo-common", ours, "westus3"), /^refuse ARO-VAULT-001/],
  ["a deleted one of another set", deletedVault("demo-common", others), /^refuse ARO-VAULT-001/],
];

const accountCases: readonly Case[] = [
  ["nothing", undefined, /^create$/],
  ["one of the set", { account }, /^keep$/],
  ["its name taken by somebody", { taken: "it is in use" }, /^refuse ARO-OIDC-002/],
  ["one of another set", { account: { ...account, tags: others } }, /^refuse ARO-OWN-001/],
  ["one elsewhere", { account: { ...account, location: "westus3" } }, /^refuse ARO-OWN-002/],
  ["one in flight", { account: { ...account, provisioningState: "Creating" } }, /^wait: Creating$/],
  ["one that keeps blobs from the public", { account: { ...account, allowBlobPublicAccess: false } }, /^update: allowBlobPublicAccess$/],
  ["one that admits shared keys", { account: { ...account, allowSharedKeyAccess: true } }, /^update: allowSharedKeyAccess$/],
  ["one that admits HTTP", { account: { ...account, enableHttpsTrafficOnly: false } }, /^update: enableHttpsTrafficOnly$/],
  ["one that admits TLS 1.0", { account: { ...account, minimumTlsVersion: "TLS1_0" } }, /^update: minimumTlsVersion$/],
  ["one that asks for TLS 1.3", { account: { ...account, minimumTlsVersion: "TLS1_3" } }, /^keep$/],
  ["one off the public network", { account: { ...account, publicNetworkAccess: "Disabled" } }, /^update: publicNetworkAccess$/],
  [
    "one behind a firewall",
    { account: { ...account, networkRuleSet: { defaultAction: "Deny" } } },
    /^update: networkRuleSet\.defaultAction$/,
  ],
];

const application = { displayName: "demo-cpo", tags: ["aro-hcp-identities:demo", "theirs"] };
const certificate = { name: "demo-cpo-cert", properties: { tags: ours } };

const expiring = { ...certificate, properties: { tags: ours, expiresOn: new Date("2026-07-11T12:00:00Z") } };
const trust = (more: object = {}) => ({ name: "one", issuer, subject, audiences: ["openshift"], ...more });

/** The documents with the keys that the step is given, as it would write them. */
const jwk = (kid: string) => ({ kty: "RSA", use: "sig", alg: "RS256", kid, n: "AQAB", e: "AQAB" });
const documents = (kids: readonly string[], isPublic = true) => ({
  discovery: { text: documentText(discoveryDocument(issuer)), contentType: "application/json", cacheControl: "public, max-age=300" },
  keySet: {
    text: documentText({ keys: kids.map(jwk) }),
    contentType: "application/json",
    cacheControl: "public, max-age=300",
  },
  isPublic,
});
const withKey = { outputs: { keys: { keys: [jwk("one")] } } };

const cases: Readonly<Record<string, readonly Case[]>> = {
  "identities key-vault": vaultCases,
  "issuer issuer-account": accountCases,
  "issuer issuer-container": [
    ["nothing", undefined, /^create$/],
    ["one that keeps blobs from the public", { ...container, publicAccess: "None" }, /^update: publicAccess, metadata\.\S+$/],
    ["one that lists its blobs", { publicAccess: "Container" }, /^update: publicAccess, metadata\.\S+$/],
    ["one without our mark", container, /^update: metadata\.\S+$/],
  ],
  "identities application-cpo": [
    ["nothing", undefined, /^create$/],
    ["a deleted one", { deleted: { id: "x" } }, /^create \(it was deleted and is restored\)$/],
    ["one of the set", { application }, /^keep$/],
    ["one with another name, without our tag", { application: { displayName: "x", tags: [] } }, /^update: displayName, tags$/],
  ],
  "identities service-principal-cpo": [
    ["nothing", undefined, /^create$/],
    ["one", "p-0", /^keep$/],
  ],
  "identities certificate-cpo": [
    ["nothing", undefined, /^create$/],
    ["one that is being made", { pending: true }, /^wait: /],
    ["one of another set", { certificate: { ...certificate, properties: { tags: others } } }, /^refuse ARO-OWN-001/],
    ["a deleted one of the set", { deleted: certificate }, /^create \(it was deleted and is recovered\)$/],
    ["one of the set", { certificate }, /^keep$/],
    ["one that expired a second ago", { certificate: expiring }, /^update: version$/, { now: new Date("2026-07-11T12:00:01Z") }],
    ["one that expires in a second", { certificate: expiring }, /^keep$/, { now: new Date("2026-07-11T11:59:59Z") }],
    ["one that is switched off", { certificate: { ...certificate, properties: { tags: ours, enabled: false } } }, /^update: version$/],
    [
      "one that is exported as PKCS#12",
      { certificate: { ...certificate, policy: { contentType: "application/x-pkcs12" } } },
      /^refuse ARO-OWN-002: .* not as PEM$/,
    ],
    ["a deleted one of another set", { deleted: { ...certificate, properties: { tags: others } } }, /^refuse ARO-VAULT-001/],
  ],
  "identities credential-cpo": [
    ["nothing", undefined, /^create$/, { outputs: { key: {}, certificate: {} } }],
    ["a deleted one of the set", { deleted: certificate }, /^create \(it was deleted/, { outputs: { key: {}, certificate: {} } }],
    [
      "one of another set",
      { secret: { name: "x", properties: { tags: others } } },
      /^refuse ARO-OWN-001/,
      { outputs: { key: {}, certificate: {} } },
    ],
  ],
  "identities identity-azure-disk-mi": [
    ["nothing", undefined, /^create$/],
    ["one of the set", identity, /^keep$/],
    ["one of another set", { ...identity, tags: others }, /^refuse ARO-OWN-001/],
    ["one elsewhere", { ...identity, location: "westus3" }, /^refuse ARO-OWN-002/],
  ],
  "identities federation-azure-disk-mi": [
    ["no trust", [], /^create \(it does not trust this issuer\)$/],
    ["trust in another issuer", [trust({ issuer: "https://other" })], /^create/],
    ["trust for another subject", [trust({ subject: "system:serviceaccount:a:b" })], /^create/],
    ["the trust", [trust()], /^keep$/],
    ["the trust under another name", [trust({ name: "theirs" })], /^keep$/],
    ["the issuer in other letters", [trust({ issuer: issuer.toUpperCase() })], /^create/],
    ["another audience", [trust({ audiences: ["other"] })], /^update: federatedIdentityCredentials\[one\]\.audiences$/],
    ["as many as Azure takes", Array.from({ length: 20 }, (_, at) => trust({ issuer: `https://${String(at)}` })), /^refuse ARO-SUB-002/],
  ],
  "issuer issuer-documents": [
    ["nothing", undefined, /^create$/, withKey],
    ["both as wanted", documents(["one"]), /^keep$/, withKey],
    ["a key of others beside ours", documents(["other", "one"]), /^keep$/, withKey],
    ["no key of ours", documents(["other"]), /^update: openid\/v1\/jwks$/, withKey],
    ["no discovery", { ...documents(["one"]), discovery: undefined }, /^update: \.well-known\/openid-configuration$/, withKey],
    ["what the public cannot read", documents(["one"], false), /^update: publicly readable$/, withKey],
    ["what is no key set", { ...documents([]), keySet: { text: "hello" } }, /^refuse ARO-OIDC-005: .* is not a JSON Web Key Set$/, withKey],
    [
      "no key at all, and none given",
      undefined,
      /^refuse ARO-OIDC-005: this would retire the last key/,
      { outputs: { keys: { keys: [] } } },
    ],
  ],
  "identities vault-access": [
    ["nobody admitted", undefined, /^create \(a role takes up to 10 minutes to reach the vault\)$/],
    ["the caller admitted", "admitted", /^keep$/],
  ],
};

describe.each(Object.entries(cases))("%s", (place, its) => {
  const [graph = "", id = ""] = place.split(" ");
  test.each(its.map((one) => [one[0], one] as const))("finds %s", (_what, [, live, decision, situation]) => {
    expect(decided(stepOf(graph, id), live, situation)).toMatch(decision);
  });
});

describe.each(["identities persistent-group", "issuer issuer-group"])("%s", (place) => {
  const [graph = "", id = ""] = place.split(" ");
  const rows: readonly (readonly [what: string, live: (made: Live) => unknown, decision: RegExp])[] = [
    ["nothing", () => undefined, /^create$/],
    ["what it makes itself", (made) => made, /^keep$/],
    ["a group of others", (made) => ({ ...made, tags: { team: "x" } }), /^use$/],
    ["one that goes", (made) => ({ ...made, properties: { provisioningState: "Deleting" } }), /^wait: Deleting$/],
  ];
  test.each(rows)("finds %s", (_what, live, decision) => {
    const step = stepOf(graph, id);
    expect(decided(step, live(asMade(step)))).toMatch(decision);
  });
});

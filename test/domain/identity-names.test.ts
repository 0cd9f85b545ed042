import fc from "fast-check";
import { expect, test } from "vitest";
import { controlPlaneComponents, dataPlaneComponents } from "../../src/domain/components.js";
import {
  applicationUniqueName,
  namedApplication,
  certificateName,
  credentialSecretName,
  defaultVaultName,
  federatedCredentialName,
  furtherFederatedCredentialName,
  managedIdentityName,
} from "../../src/domain/identity-names.js";
import { issuerUrlProblem } from "../../src/domain/issuer-url.js";
import { nameProblem } from "../../src/domain/name-rules.js";

const key = { name: "demo", subscriptionId: "5B5C0000-0000-4000-8000-000000000001", groupName: "Common", vaultName: "kv" };
const cpo = { key: "cpo" };

test("the names are as ARO HCP documents them", () => {
  expect(controlPlaneComponents.map((component) => credentialSecretName(key, component))).toEqual([
    "demo-cpo",
    "demo-nodepool-mgmt",
    "demo-cloud-provider",
    "demo-file",
    "demo-disk",
    "demo-ingress",
    "demo-network",
    "demo-image-registry",
    "demo-kms",
  ]);
  expect(dataPlaneComponents.map((component) => managedIdentityName(key, component))).toEqual([
    "image-registry-MI-demo",
    "azure-disk-MI-demo",
    "azure-file-MI-demo",
  ]);
});

test("a certificate never has the name of a credential secret, because it has a secret with its own name", () => {
  const secrets = controlPlaneComponents.map((component) => credentialSecretName(key, component));
  expect(controlPlaneComponents.map((component) => certificateName(key, component)).filter((name) => secrets.includes(name))).toEqual([]);
});

test("the unique name of an application does not depend on how a group or subscription was typed", () => {
  const typed = { ...key, groupName: "COMMON", subscriptionId: key.subscriptionId.toLowerCase() };
  expect(applicationUniqueName(typed, cpo)).toBe(applicationUniqueName(key, cpo));
  expect(applicationUniqueName(key, cpo)).toBe("aro-hcp.5b5c0000-0000-4000-8000-000000000001.common.demo.cpo");
  expect(applicationUniqueName({ ...key, groupName: "rg-(a).b_c" }, cpo)).toBe(
    "aro-hcp.5b5c0000-0000-4000-8000-000000000001.rg-~la~r.b_c.demo.cpo",
  );
});

/** Valid Azure names with many ambiguous characters. */
const groupName = fc
  .stringMatching(/^[a-c1l.()_~-]{0,6}[\w.()-]{0,36}[l1_()-]$/)
  .filter((name) => nameProblem("resourceGroup", name) === undefined);
const setName = fc.stringMatching(/^[a-c1l](?:[a-c1l-]{0,61}[a-c1l])?$/);
const anySet = fc.record({
  groupName,
  name: setName,
  subscriptionId: fc.uuid(),
  component: fc.constantFrom(...controlPlaneComponents),
});

test("no two applications of any sets share a unique name, and each is valid in a URL without encoding", () => {
  fc.assert(
    fc.property(anySet, ({ component, ...set }) => {
      const uniqueName = applicationUniqueName(set, component);
      // A name that can be parsed belongs to one set only.
      expect(namedApplication(uniqueName)).toEqual({
        set: { ...set, groupName: set.groupName.toLowerCase() },
        component: component.key,
      });
      expect(encodeURIComponent(uniqueName)).toBe(uniqueName);
      expect(uniqueName).toMatch(/^[\w.~-]{1,256}$/);
    }),
  );
});

test("the longest unique name fits", () => {
  const longest = { ...key, groupName: `${"()".repeat(21)}${"g".repeat(48)}`, name: "n".repeat(63) };
  expect(nameProblem("resourceGroup", longest.groupName)).toBeUndefined();
  expect(Math.max(...controlPlaneComponents.map((component) => applicationUniqueName(longest, component).length))).toBe(256);
});

test("every name of a set results in a valid vault name, which depends on the group", () => {
  const label = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/);
  fc.assert(
    fc.property(label, (name) => {
      const vault = defaultVaultName({ ...key, name });
      expect(nameProblem("keyVault", vault)).toBeUndefined();
      expect(defaultVaultName({ ...key, name, groupName: "elsewhere" })).not.toBe(vault);
    }),
  );
});

test("federated identity credentials of two issuers have different names of at most 120 characters", () => {
  const identity = managedIdentityName(
    { ...key, name: "n".repeat(63) },
    dataPlaneComponents[0] ?? { key: "azure-disk-MI", plane: "data", field: "diskMSIClientID", subject: "" },
  );
  const names = [
    federatedCredentialName(identity),
    furtherFederatedCredentialName(identity, "https://a.example.com"),
    furtherFederatedCredentialName(identity, "https://b.example.com"),
  ];
  expect(new Set(names).size).toBe(3);
  expect(Math.max(...names.map(({ length }) => length))).toBeLessThanOrEqual(120);
});

test.each([
  ["https://issuer.example.com/demo", undefined],
  ["https://issuer.example.com", undefined],
  ["https://issuer.example.com/", /slash/],
  ["https://issuer.example.com/demo/", /slash/],
  ["http://issuer.example.com/demo", /HTTPS/],
  ["issuer.example.com", /not a URL/],
  ["https://user:word@issuer.example.com", /user name or password/],
  ["https://issuer.example.com/demo?x=1", /query/],
  ["https://issuer.example.com:8443/demo", undefined],
  ["https://issuer.example.com/demo?", /did you mean "https:\/\/issuer.example.com\/demo"/],
  ["https://issuer.example.com/demo#", /did you mean "https:\/\/issuer.example.com\/demo"/],
  ["https://issuer.example.com/demo#x", /fragment/],
  ["https://issuer.example.com:443/demo", /did you mean "https:\/\/issuer.example.com\/demo"/],
  ["https://issuer.example.com:0x/demo", /not a URL/],
  ["https://issuer.example.com/a/../demo", /did you mean "https:\/\/issuer.example.com\/demo"/],
  [" https://issuer.example.com/demo", /did you mean "https:\/\/issuer.example.com\/demo"/],
  ["https://issuer.example.com/demo/.well-known/openid-configuration", /did you mean "https:\/\/issuer.example.com\/demo"/],
  ["https://localhost:8443", /is not on the internet/],
  ["https://10.0.0.4/demo", /is not on the internet/],
  ["https://[fd00::1]/demo", /is not on the internet/],
  ["https://issuer.svc.cluster.local", /is not on the internet/],
  ["https://Issuer.example.com/demo", /did you mean "https:\/\/issuer.example.com\/demo"/],
  [`https://issuer.example.com/${"a".repeat(600)}`, /Entra accepts at most 600/],
])("the issuer %s", (url, problem) => {
  if (problem === undefined) expect(issuerUrlProblem(url)).toBeUndefined();
  else expect(issuerUrlProblem(url)).toMatch(problem);
});

test("an issuer's password is not quoted", () => {
  expect(issuerUrlProblem("https://user:word@issuer.example.com")).not.toContain("word@");
});

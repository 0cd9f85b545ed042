/** The result of `create all`: its secrets and signing key get tokens, the tokens have the rights of the roles, and nothing more. */
import { X509Certificate } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import type { TokenCredential } from "@azure/core-auth";
import { ClientAssertionCredential, ClientCertificateCredential, WorkloadIdentityCredential } from "@azure/identity";
import { Ajv2020 } from "ajv/dist/2020.js";
import { decodeJwt } from "jose";
import forge from "node-forge";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { newCertificate } from "../emulator/certificate.js";
import { groupId } from "./demo-cluster.js";
import { exits } from "./expectations.js";
import { controlPlaneRights, dataPlaneRights, type Rights } from "../identities/cli/identity-rights.js";
import {
  armScope,
  certificateAssertion,
  issuer,
  serviceAccountToken,
  tampered,
  wholeCluster,
  type Changes,
  type StoredCredential,
  type AzureState,
} from "../identities/cli/identity-tokens.js";
import { testKey } from "../issuer/signing-keys.js";
import { demoAccount } from "../harness/demo-issuer.js";

let state: AzureState;
const cleanups: (() => Promise<void>)[] = [];

beforeAll(async () => {
  state = await wholeCluster((clean) => cleanups.unshift(clean));
});

afterAll(async () => {
  for (const clean of cleanups) await clean();
});

const named = <One extends Rights>(rights: readonly One[]) => rights.map((each) => [each.name, each] as const);
const secretOf = async (field: string): Promise<StoredCredential> =>
  state.secret(state.managedIdentities[field]?.credentialsSecretName ?? "");

/** Signs in like a control plane pod: endpoint and all other values come from the secret. */
function byCertificate(secret: StoredCredential, pem = Buffer.from(secret.client_secret, "base64").toString()): TokenCredential {
  const certificate = { certificate: pem };
  return new ClientCertificateCredential(secret.tenant_id, secret.client_id, certificate, {
    ...state.options,
    authorityHost: secret.authentication_endpoint,
    disableInstanceDiscovery: true,
    sendCertificateChain: true,
  });
}

function byAssertion(tenantId: string, clientId: string, assertion: string): TokenCredential {
  return new ClientAssertionCredential(tenantId, clientId, async () => assertion, { ...state.options, disableInstanceDiscovery: true });
}

async function expectRights(credential: TokenCredential, { may, elsewhere, mayNot }: Rights): Promise<void> {
  const allowed = await state.send(credential, may);
  expect(allowed.status, `${may.method} ${may.id}: ${allowed.code ?? ""}`).toBeLessThan(300);
  expect(await state.send(credential, elsewhere)).toEqual({ status: 403, code: "AuthorizationFailed" });
  expect(await state.send(credential, mayNot)).toEqual({ status: 403, code: "AuthorizationFailed" });
}

test.each(named(controlPlaneRights))("the secret of %s gets a token, and the token has the rights of its role", async (_, rights) => {
  const secret = await secretOf(rights.field);
  expect(secret.client_id).toBe(state.managedIdentities[rights.field]?.clientID);
  const credential = byCertificate(secret);
  const { token } = (await credential.getToken(armScope)) ?? { token: "" };
  expect(decodeJwt(token)).toMatchObject({ appid: secret.client_id, tid: secret.tenant_id, appidacr: "2" });
  await expectRights(credential, rights);
});

test.each(named(dataPlaneRights))(
  "a service account token is exchanged for a token of the managed identity %s with the rights of its role",
  async (name, rights) => {
    const tokenFilePath = state.azure.path(`${name}.token`);
    await writeFile(tokenFilePath, await serviceAccountToken(state, rights.subject));
    const clientId = state.dataPlane[rights.field] ?? "";
    const { tenant_id: tenantId } = await secretOf("disk");
    const credential = new WorkloadIdentityCredential({
      tenantId,
      clientId,
      tokenFilePath,
      ...state.options,
      disableInstanceDiscovery: true,
    });
    const { token } = await credential.getToken(armScope);
    expect(decodeJwt(token)).toMatchObject({ appid: clientId, xms_mirid: expect.stringContaining(`/${name}-MI-demo`) });
    await expectRights(credential, rights);
  },
);

/** The blocks of a PEM text, in order. */
const blocksOf = (text: string) =>
  [...text.matchAll(/-----BEGIN ([A-Z ]+)-----\n[\s\S]+?\n-----END \1-----\n/g)].map(([pem, label = ""]) => ({ label, pem }));

// node-forge encodes the certificate, OpenSSL creates key and signature. Each one reads the output of the other, and the YAML library the text.
test.each(named(controlPlaneRights))("independent readers find a certificate and its key in the secret of %s", async (_, { field }) => {
  const text = await state.secretText(state.managedIdentities[field]?.credentialsSecretName ?? "");
  const secret = parseYaml(text, { schema: "json" }) as Record<string, string>;
  expect(secret).toEqual(JSON.parse(text));
  const [leaf, key, ...more] = blocksOf(Buffer.from(secret["client_secret"] ?? "", "base64").toString());
  expect([leaf?.label, key?.label, more]).toEqual(["CERTIFICATE", "PRIVATE KEY", []]);
  const certificate = new X509Certificate(leaf?.pem ?? "");
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
  const read = forge.pki.certificateFromPem(leaf?.pem ?? "");
  expect(read.verify(read)).toBe(true);
  const { n, e } = forge.pki.privateKeyFromPem(key?.pem ?? "");
  expect(forge.pki.publicKeyToPem(forge.pki.setRsaPublicKey(n, e))).toBe(forge.pki.publicKeyToPem(read.publicKey));
  // The secret has the times of the certificate.
  expect(Date.parse(secret["not_before"] ?? "")).toBe(Date.parse(certificate.validFrom));
  expect(Date.parse(secret["not_after"] ?? "")).toBe(Date.parse(certificate.validTo));
});

test.each([
  ["infra.json", "infra-output"],
  ["identities.json", "identities"],
  ["managed-identities.json", "control-plane-identities"],
  ["data-plane-identities.json", "data-plane-identities"],
])("the file %s is valid for the schema %s, with an independent validator", async (file, name) => {
  const schema = JSON.parse(exits(await state.azure.cli(["schema", name]), 0).stdout) as object;
  const document = JSON.parse(await readFile(state.azure.path(`demo/${file}`), "utf8")) as Record<string, unknown>;
  const validator = new Ajv2020({ allErrors: true, strict: true });
  validator.validate(schema, document);
  expect(validator.errors ?? []).toEqual([]);
  // The schema does not accept everything. A cluster without the capability has no identity for its image registry, and hypershift records no options.
  const optional = ["imageRegistry", "options"];
  for (const key of Object.keys(document).filter((each) => !optional.includes(each))) {
    const { [key]: _, ...without } = document;
    expect(validator.validate(schema, without), `without ${key}`).toBe(false);
  }
  expect(validator.validate(schema, { ...document, another: 1 })).toBe(false);
});

test("no secret and no token works for another identity", async () => {
  const [disk, file] = [await secretOf("disk"), await secretOf("file")];
  await expect(byCertificate({ ...disk, client_id: file.client_id }).getToken(armScope)).rejects.toThrow("AADSTS700027");
  const [registry, csi] = dataPlaneRights;
  const token = await serviceAccountToken(state, registry?.subject ?? "");
  await expect(byAssertion(disk.tenant_id, state.dataPlane[csi?.field ?? ""] ?? "", token).getToken(armScope)).rejects.toThrow(
    "AADSTS700213",
  );
});

describe("a certificate's assertion is refused", () => {
  const elsewhere = "https://login.microsoftonline.com/common/oauth2/v2.0/token";

  test.each<[string, (secret: StoredCredential) => Promise<string>, string]>([
    [
      "with another signature",
      async (secret) => tampered(await certificateAssertion(secret)),
      "AADSTS700027: Client assertion failed signature validation.",
    ],
    ["for another audience", (secret) => certificateAssertion(secret, { claims: { aud: elsewhere } }), "AADSTS700023"],
    [
      "with another issuer",
      (secret) => certificateAssertion(secret, { claims: { iss: "00000000-0000-4000-8000-0000000000dd" } }),
      "AADSTS700021",
    ],
    ["after its expiry", (secret) => certificateAssertion(secret, { claims: { nbf: 1e9, exp: 1e9 + 600 } }), "AADSTS700024"],
  ])("%s", async (_, assertion, words) => {
    const secret = await secretOf("controlPlaneOperator");
    const credential = (text: string) => byAssertion(secret.tenant_id, secret.client_id, text);
    await expect(credential(await assertion(secret)).getToken(armScope)).rejects.toThrow(words);
    // The same assertion without this change is accepted.
    expect(await credential(await certificateAssertion(secret)).getToken(armScope)).toHaveProperty("token");
  });

  test("of a certificate that its application does not have", async () => {
    const secret = await secretOf("controlPlaneOperator");
    const { pem } = newCertificate();
    await expect(byCertificate(secret, pem).getToken(armScope)).rejects.toThrow(/AADSTS700027: .*not registered on application/);
  });

  test("of a certificate that is expired, although its application has it", async () => {
    const secret = await secretOf("ingress");
    const expired = newCertificate({ from: -30, to: -1 });
    const graph = {
      url: `https://graph.microsoft.com/v1.0/applications(appId='${secret.client_id}')`,
      scope: "https://graph.microsoft.com/.default",
    };
    const keyCredentials = [{ type: "AsymmetricX509Cert", usage: "Verify", key: expired.key }];
    expect(await state.send(state.owner, { ...graph, method: "PATCH", body: { keyCredentials } })).toMatchObject({ status: 204 });
    await expect(byCertificate(secret, expired.pem).getToken(armScope)).rejects.toThrow(
      /AADSTS700027: .*\[Reason - The key used is expired/,
    );
    // The previous certificate is no longer registered.
    await expect(byCertificate(secret).getToken(armScope)).rejects.toThrow(/AADSTS700027: .*not registered/);
  });
});

describe("a service account's token is refused", () => {
  const [, disk] = dataPlaneRights;
  const subject = disk?.subject ?? "";
  const exchange = async (token: string) => {
    const { tenant_id: tenantId } = await secretOf("disk");
    return byAssertion(tenantId, state.dataPlane[disk?.field ?? ""] ?? "", token).getToken(armScope);
  };

  test.each<[string, Changes, string]>([
    ["of another issuer", { claims: { iss: "https://other.blob.core.windows.net/demo" } }, "AADSTS700211"],
    ["with a slash after the issuer", { claims: { iss: `${issuer}/` } }, "AADSTS700211"],
    ["of another subject", { claims: { sub: "system:serviceaccount:default:default" } }, "AADSTS700213"],
    ["for the default audience of Azure", { claims: { aud: ["api://AzureADTokenExchange"] } }, "AADSTS700212"],
    ["by a key that is not published", { header: { kid: testKey().kid } }, "AADSTS7000272"],
    ["after its expiry", { claims: { nbf: 1e9, exp: 1e9 + 3600 } }, "AADSTS700024"],
  ])("%s", async (_, changes, code) => {
    await expect(exchange(await serviceAccountToken(state, subject, changes))).rejects.toThrow(`${code}: `);
  });

  test("with another signature", async () => {
    const token = await serviceAccountToken(state, subject);
    await expect(exchange(tampered(token))).rejects.toThrow(/AADSTS700027: .*signature validation/);
    expect(await exchange(token)).toHaveProperty("token");
  });

  test("while the issuer's documents are private, and accepted when they are public again", async () => {
    const container = {
      id: `${groupId("demo-oidc")}/providers/Microsoft.Storage/storageAccounts/${demoAccount}/blobServices/default/containers/demo`,
      apiVersion: "2025-01-01",
    };
    const publicAccess = (access: string) =>
      state.send(state.owner, { ...container, method: "PATCH", body: { properties: { publicAccess: access } } });
    expect(await publicAccess("None")).toMatchObject({ status: 200 });
    const token = await serviceAccountToken(state, subject);
    await expect(exchange(token)).rejects.toThrow("AADSTS50166: Request to External OIDC endpoint failed.");
    expect(await publicAccess("Blob")).toMatchObject({ status: 200 });
    expect(await exchange(token)).toHaveProperty("token");
  });
});

/** Credential secrets, each broken in another way: exactly those checks fail, and pass once their advice is followed. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import forge from "node-forge";
import type { SecretClient } from "@azure/keyvault-secrets";
import { expect, test } from "vitest";
import { givenDocument } from "../../src/files/given-document.js";
import { commandsIn, findings, healthyWorld, rowOf, type HealthyWorld } from "./healthy-world.js";

type Fields = Record<string, string>;

const cryptoOfficer = "14b46e9e-c2b7-41b4-b07b-48a6ebf60603";

/** Of the set, as `create identities` tags what it makes. */
const ours = { "aro-hcp-identities": "demo" };

interface Case {
  readonly component: string;
  readonly check: string;
  readonly evidence: RegExp;
  /** Breaks the secret; what is handed back undoes what no `create identities` would. */
  readonly apart: (secrets: SecretClient, name: string, fields: Fields) => Promise<unknown>;
}

/** Writes the secret anew, its dates as they were. */
async function write(secrets: SecretClient, name: string, value: string, tags?: Record<string, string>): Promise<void> {
  const { properties } = await secrets.getSecret(name);
  const { notBefore, expiresOn, contentType = "" } = properties;
  await secrets.setSecret(name, value, {
    contentType,
    tags: { ...properties.tags, ...tags },
    ...(notBefore && { notBefore }),
    ...(expiresOn && { expiresOn }),
  });
}

const edited = (changes: (fields: Fields) => Record<string, unknown>) => async (secrets: SecretClient, name: string, fields: Fields) =>
  write(secrets, name, JSON.stringify({ ...fields, ...changes(fields) }));

async function breakAll(world: HealthyWorld, cases: readonly Case[]): Promise<void> {
  const { secrets } = await world.azure.vaultContent(world.vault);
  for (const { component, apart } of cases) {
    const name = `demo-${component}`;
    const { value = "" } = await secrets.getSecret(name);
    await apart(secrets, name, JSON.parse(value) as Fields);
  }
}

const warnings = new Set(["secret-attributes", "credential-expiry", "certificate-current"]);
const expected = (cases: readonly Case[]) =>
  cases.map(({ check, component }) => `${check}/${component} ${warnings.has(check) ? "warning" : "failed"}`).sort();

/** Every case is in a secret of its own, so all are broken at once; then every different command of their advices is run. */
async function brokenAndMended(world: HealthyWorld, cases: readonly Case[]): Promise<void> {
  await breakAll(world, cases);
  const results = await world.verify();
  expect(findings(results)).toEqual(expected(cases));
  for (const { check, component, evidence } of cases) expect(rowOf(results, check, component).evidence).toMatch(evidence);
  expect(JSON.stringify(results)).not.toMatch(/BEGIN|client_secret":/);
  const commands = new Set(cases.flatMap(({ check, component }) => commandsIn(rowOf(results, check, component)).slice(0, 1)));
  const { secrets } = await world.azure.vaultContent(world.vault);
  for (const command of commands) {
    const [, name = ""] = / --name (\S+)/.exec(command) ?? [];
    if (command.startsWith("aro-hcp ")) await world.follow(command);
    else if (command.startsWith("az keyvault secret recover ")) await (await secrets.beginRecoverDeletedSecret(name)).pollUntilDone();
    else if (command.startsWith("az keyvault secret set-attributes ")) {
      await secrets.updateSecretProperties(name, "", { enabled: true });
    } else throw new Error(`no test does "${command}"`);
  }
  expect(findings(await world.verify())).toEqual([]);
}

function pkcs12Of(fields: Fields, algorithm: string): string {
  const pem = Buffer.from(fields["client_secret"] ?? "", "base64").toString();
  const key = forge.pki.privateKeyFromPem(pem.slice(pem.indexOf("-----BEGIN PRIVATE KEY")));
  const asn1 = forge.pkcs12.toPkcs12Asn1(key, [forge.pki.certificateFromPem(pem)], "", { algorithm: algorithm as "3des" });
  return Buffer.from(forge.asn1.toDer(asn1).getBytes(), "latin1").toString("base64");
}

test("each fault of a value is one finding, and `create identities` mends them all", async () => {
  const world = await healthyWorld();
  await brokenAndMended(world, [
    {
      component: "cpo",
      check: "credential-json",
      evidence: /the value is PEM/,
      apart: (s, n) => write(s, n, "-----BEGIN CERTIFICATE-----"),
    },
    {
      component: "nodepool-mgmt",
      check: "credential-fields",
      evidence: /missing or empty: client_id, tenant_id; clientId, tenantId are in camel case/,
      apart: edited(({ client_id, tenant_id }) => ({ client_id: undefined, tenant_id: "", clientId: client_id, tenantId: tenant_id })),
    },
    {
      component: "cloud-provider",
      check: "credential-identity",
      evidence: /client_id is 1111.*, the file says/,
      apart: edited(() => ({ client_id: "11111111-1111-4111-8111-111111111111" })),
    },
    {
      component: "disk",
      check: "credential-endpoint",
      evidence: /is https:\/\/login\.microsoftonline\.us\/; that of AzurePublicCloud is https:\/\/login\.microsoftonline\.com\//,
      apart: edited(() => ({ authentication_endpoint: "https://login.microsoftonline.us/" })),
    },
    {
      component: "file",
      check: "credential-dates",
      evidence: /not_before is not an RFC 3339 time/,
      apart: edited(({ not_before = "" }) => ({ not_before: not_before.replace("T", " ") })),
    },
    {
      component: "ingress",
      check: "credential-certificate",
      evidence: /client_secret: it is PKCS#12 of the modern kind \(PBES2\)/,
      apart: edited((fields) => ({ client_secret: pkcs12Of(fields, "aes256") })),
    },
    {
      component: "network",
      check: "secret-attributes",
      evidence: /the tag renew_after, and the value's differ: 2020-01-01T00:00:00Z/,
      apart: (s, n, fields) => write(s, n, JSON.stringify(fields), { renew_after: "2020-01-01T00:00:00Z" }),
    },
    { component: "kms", check: "credential-certificate", evidence: /it is not base64/, apart: edited(() => ({ client_secret: "*" })) },
  ]);
});

test("a secret that is disabled, not yet valid, expired, deleted or of a certificate, a newer certificate, and dates that are none", async () => {
  const world = await healthyWorld();
  const [past, future] = [new Date("2025-01-01T00:00:00Z"), new Date(Date.now() + 86_400_000)];
  await brokenAndMended(world, [
    {
      component: "cpo",
      check: "secret-exists",
      evidence: /is disabled/,
      apart: (s, n) => s.updateSecretProperties(n, "", { enabled: false }),
    },
    {
      component: "disk",
      check: "secret-exists",
      evidence: /is not valid before/,
      apart: (s, n) => s.updateSecretProperties(n, "", { notBefore: future }),
    },
    {
      component: "network",
      check: "secret-exists",
      evidence: /^secret demo-network expired on 2025-01-01T00:00:00Z$/,
      apart: (s, n) => s.updateSecretProperties(n, "", { notBefore: new Date("2024-01-01T00:00:00Z"), expiresOn: past }),
    },
    {
      component: "file",
      check: "secret-not-deleted",
      evidence: /was deleted on/,
      apart: async (s, n) => (await s.beginDeleteSecret(n)).pollUntilDone(),
    },
    {
      component: "ingress",
      check: "certificate-current",
      evidence: /the newest version of demo-ingress-cert is/,
      apart: async () => {
        const { certificates } = await world.azure.vaultContent(world.vault);
        const policy = await certificates.getCertificatePolicy("demo-ingress-cert");
        const { properties } = await certificates.getCertificate("demo-ingress-cert");
        await (
          await certificates.beginCreateCertificate("demo-ingress-cert", policy, { tags: properties.tags ?? {}, intervalInMs: 20 })
        ).pollUntilDone();
      },
    },
    {
      component: "nodepool-mgmt",
      check: "credential-dates",
      evidence: /^not_before \(2099-01-01T00:00:00Z\) is in the future$/,
      apart: edited(() => ({ not_before: "2099-01-01T00:00:00Z", not_after: "2099-02-01T00:00:00Z" })),
    },
    {
      component: "cloud-provider",
      check: "credential-dates",
      evidence: /^not_before is not an RFC 3339 time/,
      apart: edited(() => ({ not_before: "2026-02-30T00:00:00Z" })),
    },
    {
      component: "image-registry",
      check: "secret-attributes",
      evidence: /^not_before, and the start of the certificate differ: 2020-01-01T00:00:00Z/,
      apart: (s, n, fields) => s.setSecret(n, JSON.stringify({ ...fields, not_before: "2020-01-01T00:00:00Z" }), { tags: ours }),
    },
    {
      component: "kms",
      check: "secret-attributes",
      evidence: /^the tag renew_after, and the value's differ: \S+, soon$/,
      apart: edited(() => ({ renew_after: "soon" })),
    },
  ]);
});

test("PKCS#12 as `az` stores it passes, a certificate that ends soon is a warning, and rotating it ends that", async () => {
  const world = await healthyWorld();
  const { secrets } = await world.azure.vaultContent(world.vault);
  const { value = "" } = await secrets.getSecret("demo-cpo");
  const fields = JSON.parse(value) as Fields;
  await write(secrets, "demo-cpo", JSON.stringify({ ...fields, client_secret: pkcs12Of(fields, "3des") }));
  const results = await world.verify({ watchExpiryDays: 366 });
  expect(rowOf(results, "credential-certificate", "cpo").evidence).toMatch(/^PKCS#12, RSA 2048/);
  const soon = rowOf(results, "credential-expiry", "cpo");
  expect(soon).toMatchObject({ state: "warning", evidence: expect.stringMatching(/, in 36\d days$/) as unknown });
  expect(findings(results).every((finding) => finding.startsWith("credential-expiry/"))).toBe(true);
  expect(findings(await world.verify())).toEqual([]);
  expect(commandsIn(soon)).toEqual([
    `aro-hcp rotate credentials --name demo --resource-group-name demo-common --key-vault-name ${world.vault} --component cpo`,
  ]);
});

test("a firewall before the vault, and a missing right in it, are findings, and all behind them is skipped", async () => {
  const world = await healthyWorld();
  const { vaults } = await world.azure.vaults();
  const close = (properties: object) => vaults.update("demo-common", world.vault, { properties });
  const evidence = async () => {
    const results = await world.verify();
    expect(findings(results)).toEqual(["vault-reachable/vault failed"]);
    expect(rowOf(results, "credential-json", "cpo").state).toBe("skipped");
    return rowOf(results, "vault-reachable", "vault").evidence;
  };
  await close({ networkAcls: { defaultAction: "Deny", ipRules: [] } });
  expect(await evidence()).toMatch(/^all is denied but 0 address ranges.*no node can read a secret/);
  await close({ networkAcls: { defaultAction: "Deny", ipRules: [{ value: "198.51.100.7" }] } });
  expect(await evidence()).toMatch(/^ForbiddenByFirewall: all is denied but 1 address ranges.*this machine is none of them/);
  await close({ publicNetworkAccess: "Disabled" });
  expect(await evidence()).toMatch(/^public access is disabled/);
  await close({ publicNetworkAccess: "Enabled", networkAcls: { defaultAction: "Allow", ipRules: [] } });
  expect(findings(await world.verify())).toEqual([]);

  const { roleAssignments } = await world.azure.authorization();
  const { id = "" } = await vaults.get("demo-common", world.vault);
  for await (const { id: assignment = "" } of roleAssignments.listForScope(id, { filter: "atScope()" })) {
    if (assignment.includes("/vaults/")) await roleAssignments.deleteById(assignment);
  }
  const results = await world.verify();
  expect(findings(results)).toEqual(["vault-readable/vault failed"]);
  const row = rowOf(results, "vault-readable", "vault");
  expect(row.evidence).toMatch(/^ForbiddenByRbac/);
  expect(commandsIn(row)[0]).toMatch(
    /^az role assignment create --role "Key Vault Secrets User" --assignee-object-id \S+ --assignee-principal-type ServicePrincipal --scope \/subscriptions/,
  );
});

test("the key of etcd's encryption: absent, in another cloud, disabled, expired, no RSA key, not for the KMS identity to use", async () => {
  const world = await healthyWorld();
  const { keys, vaults } = await world.azure.vaults();
  const make = async (name: string, properties: object) => {
    const { keyUriWithVersion = "" } = await keys.createIfNotExist("demo-common", world.vault, name, { properties });
    return keyUriWithVersion;
  };
  const good = await make("etcd", { kty: "RSA", keySize: 4096 });
  const finding = async (encryptionKeyId: string) => {
    const results = await world.verify({ encryptionKeyId });
    return { found: findings(results), row: rowOf(results, "kms-key", "kms"), role: rowOf(results, "kms-role", "kms") };
  };
  for (const [id, evidence] of [
    [good.replace(/\w+$/, "0".repeat(32)), /has no version 0{32} of a key etcd/],
    [good.replace(world.vault, "elsewhere"), /has no vault elsewhere/],
    [await make("off", { kty: "RSA", attributes: { enabled: false } }), /of key off is disabled/],
    [good.replace("vault.azure.net", "vault.azure.cn"), /is at vault\.azure\.cn, those of AzurePublicCloud are at vault\.azure\.net/],
    [await make("curve", { kty: "EC", curveName: "P-256" }), /is of type EC/],
    [
      await make("old", { kty: "RSA", attributes: { expires: Date.parse("2025-01-01T00:00:00Z") / 1000 } }),
      /expired on 2025-01-01T00:00:00Z/,
    ],
    [
      await make("new", { kty: "RSA", attributes: { notBefore: Date.parse("2099-01-01T00:00:00Z") / 1000 } }),
      /not valid before 2099-01-01/,
    ],
    [await make("signs", { kty: "RSA", keyOps: ["sign", "decrypt"] }), /may not be used to encrypt$/],
  ] as const) {
    const { found, row, role } = await finding(id);
    expect(found).toEqual(["kms-key/kms failed"]);
    expect(row.evidence).toMatch(evidence);
    expect(role.state).toBe("skipped");
  }
  const { found, role } = await finding(good);
  expect(found).toEqual(["kms-role/kms failed"]);
  const [, roleId = "", principalId = "", scope = ""] =
    /--role (\S+) --assignee-object-id (\S+) .*--scope (\S+)$/.exec(commandsIn(role)[0] ?? "") ?? [];
  const { id: vaultId = "" } = await vaults.get("demo-common", world.vault);
  expect(scope).toBe(vaultId);
  const { roleAssignments } = await world.azure.authorization();
  const assign = async (at: string, role: string, name: string) => {
    const roleDefinitionId = `/subscriptions/${world.azure.connection.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${role}`;
    const { id = "" } = await roleAssignments.create(at, name, { principalId, principalType: "ServicePrincipal", roleDefinitionId });
    return id;
  };
  const onVault = await assign(scope, roleId, "aaaaaaaa-0000-4000-8000-000000000001");
  expect((await finding(good)).found).toEqual([]);
  await roleAssignments.deleteById(onVault);

  // A wider role will do, on the key alone; on another key it will not.
  await assign(`${vaultId}/keys/curve`, cryptoOfficer, "aaaaaaaa-0000-4000-8000-000000000002");
  expect((await finding(good)).found).toEqual(["kms-role/kms failed"]);
  await assign(`${vaultId}/keys/etcd`, cryptoOfficer, "aaaaaaaa-0000-4000-8000-000000000003");
  expect((await finding(good)).role.evidence).toBe(`Key Vault Crypto Officer on ${vaultId}/keys/etcd`);

  // A key, and nobody to encrypt with it.
  const path = join(world.files, "identities.json");
  const { kms: _, ...others } = JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
  await writeFile(path, JSON.stringify(others));
  expect(await finding(good)).toMatchObject({
    found: ["kms-role/kms failed"],
    role: { evidence: expect.stringMatching(/no identity kms/) as unknown },
  });
  const inner = await givenDocument(join(world.files, "managed-identities.json"));
  expect(rowOf(await world.verify({ managedIdentities: inner, encryptionKeyId: good }), "kms-role", "kms").state).toBe("skipped");
});

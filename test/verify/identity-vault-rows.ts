/** Rows of the checks of the vault, of its secrets' content, and of the key that encrypts etcd. */
import type { SecretClient } from "@azure/keyvault-secrets";
import { run, everyLine, firstLine } from "./advice.js";
import { commandsIn, type HealthyState } from "./healthy-state.js";
import { pkcs12Of, rewritten, writeSecret, type Fields } from "./credential-writing.js";
import type { Row, Wave } from "./identity-rows.js";

async function updateVault(state: HealthyState, properties: object): Promise<void> {
  const { vaults } = await state.azure.vaults();
  await vaults.update("demo-common", state.vault, { properties });
}

/** Deletes the signed-in principal's role assignments on the vault itself. */
async function takeRolesOnVault({ azure, vault }: HealthyState): Promise<void> {
  const { roleAssignments } = await azure.authorization();
  const { id = "" } = await (await azure.vaults()).vaults.get("demo-common", vault);
  for await (const { id: assignment = "" } of roleAssignments.listForScope(id, { filter: "atScope()" })) {
    if (assignment.includes("/vaults/")) await roleAssignments.deleteById(assignment);
  }
}

/** A row of a component's secret; `damage` introduces the fault. */
function ofSecret(
  row: string,
  evidence: RegExp,
  damage: (secrets: SecretClient, name: string, fields: Fields) => Promise<unknown>,
  more: Partial<Row> = {},
): Row {
  return {
    row,
    evidence,
    async breaks(state) {
      const { secrets } = await state.azure.vaultContent(state.vault);
      const name = `demo-${row.split("/")[1] ?? ""}`;
      const { value = "" } = await secrets.getSecret(name);
      await damage(secrets, name, JSON.parse(value) as Fields);
    },
    follow: firstLine,
    ...more,
  };
}

const vaultRows: readonly (readonly [title: string, row: Row])[] = [
  [
    "a vault that uses access policies",
    {
      row: "vault-exists/vault",
      breaks: (state) => updateVault(state, { enableRbacAuthorization: false }),
      evidence: /uses access policies, so role assignments on it have no effect/,
      follow: firstLine,
    },
  ],
  [
    "a deleted vault",
    {
      row: "vault-exists/vault",
      breaks: async (state) => (await state.azure.vaults()).vaults.delete("demo-common", state.vault),
      evidence: /was deleted on 20/,
      follow: everyLine,
    },
  ],
  [
    "a vault that admits no network",
    {
      row: "vault-reachable/vault",
      breaks: (state) => updateVault(state, { networkAcls: { defaultAction: "Deny", ipRules: [] } }),
      evidence: /^access is denied except for 0 address ranges.*no node can read a secret/,
      // "allow the subnet of the nodes, or all networks"
      follow: async (state, result) => void (await run(state, commandsIn(result)[1] ?? "")),
    },
  ],
  [
    "a vault that admits only other networks",
    {
      row: "vault-reachable/vault",
      breaks: (state) => updateVault(state, { networkAcls: { defaultAction: "Deny", ipRules: [{ value: "198.51.100.7" }] } }),
      evidence: /^ForbiddenByFirewall: access is denied except for 1 address range,.*this machine is not among them/,
      follow: firstLine,
    },
  ],
  [
    "a vault with unreadable secrets",
    { row: "vault-readable/vault", breaks: takeRolesOnVault, evidence: /^ForbiddenByRbac/, follow: firstLine },
  ],
];

const [past, future] = [new Date("2025-01-01T00:00:00Z"), new Date(Date.now() + 86_400_000)];

/** Writes the secret without an expiry date, as HyperShift's contrib scripts do. */
async function undated(secrets: SecretClient, name: string, fields: Fields): Promise<void> {
  const { tags = {}, contentType = "" } = (await secrets.getSecret(name)).properties;
  await secrets.setSecret(name, JSON.stringify(fields), { tags, contentType });
}

async function newCertificate(state: HealthyState, name: string): Promise<void> {
  const { certificates } = await state.azure.vaultContent(state.vault);
  const policy = await certificates.getCertificatePolicy(name);
  const { properties } = await certificates.getCertificate(name);
  await (await certificates.beginCreateCertificate(name, policy, { tags: properties.tags ?? {}, intervalInMs: 20 })).pollUntilDone();
}

/** The other components, whose certificates are 13 months old. */
const agedRest = ["nodepool-mgmt", "cloud-provider", "file", "ingress", "network", "image-registry", "kms"];

const keyIn = async (state: HealthyState, name: string, properties: object): Promise<string> => {
  const { keys } = await state.azure.vaults();
  return (await keys.createIfNotExist("demo-common", state.vault, name, { properties })).keyUriWithVersion ?? "";
};

const rsa = { kty: "RSA", keySize: 2048 };

/** Grants the KMS identity the use of the keys, by following the advice. */
async function letUse(state: HealthyState, encryptionKeyId: string): Promise<void> {
  const results = await state.verify({ encryptionKeyId });
  const role = results.find(({ check, state }) => check === "kms-role" && state === "failed");
  if (role) await everyLine(state, role);
}

/** Creates a key if needed and returns its ID; the KMS identity may use it. */
export async function withKey(state: HealthyState, name: string, properties: object): Promise<string> {
  const id = await keyIn(state, name, properties);
  await letUse(state, await keyIn(state, "good", rsa));
  return id;
}

const nothing = () => Promise.resolve();

export const vaultWaves: readonly Wave[] = [
  ...vaultRows.map(([title, row]): Wave => ({ title, rows: [row] })),
  {
    title: "each fault of a secret's value",
    rows: [
      ofSecret("credential-json/cpo", /the value is PEM/, (s, n) => writeSecret(s, n, "-----BEGIN CERTIFICATE-----")),
      ofSecret(
        "credential-fields/nodepool-mgmt",
        /missing or empty: client_id, tenant_id; pods do not read names in camel case: clientId, tenantId$/,
        rewritten(({ client_id, tenant_id }) => ({ client_id: undefined, tenant_id: "", clientId: client_id, tenantId: tenant_id })),
      ),
      ofSecret(
        "credential-identity/cloud-provider",
        /client_id is 1111\S*, but \S+ in the file/,
        rewritten(() => ({ client_id: "11111111-1111-4111-8111-111111111111" })),
      ),
      ofSecret(
        "credential-endpoint/disk",
        /is https:\/\/login\.microsoftonline\.us\/, but AzurePublicCloud uses https:\/\/login\.microsoftonline\.com\//,
        rewritten(() => ({ authentication_endpoint: "https://login.microsoftonline.us/" })),
      ),
      ofSecret(
        "credential-dates/file",
        /not_before is not an RFC 3339 time/,
        rewritten(({ not_before = "" }) => ({ not_before: not_before.replace("T", " ") })),
      ),
      ofSecret(
        "credential-certificate/ingress",
        /client_secret: it is PKCS#12 with modern encryption \(PBES2\)/,
        rewritten((fields) => ({ client_secret: pkcs12Of(fields, "aes256") })),
      ),
      ofSecret(
        "secret-attributes/network",
        /the tag renew_after and the field in the value differ: 2020-01-01T00:00:00Z/,
        (s, n, fields) => writeSecret(s, n, JSON.stringify(fields), { renew_after: "2020-01-01T00:00:00Z" }),
        { warning: true },
      ),
      ofSecret(
        "credential-certificate/kms",
        /it is not base64/,
        rewritten(() => ({ client_secret: "*" })),
      ),
    ],
  },
  {
    title: "secrets that are disabled, not yet valid, expired or deleted, a newer certificate, and invalid dates",
    rows: [
      ofSecret("secret-exists/cpo", /is disabled/, (s, n) => s.updateSecretProperties(n, "", { enabled: false })),
      ofSecret("secret-exists/disk", /is not valid before/, (s, n) => s.updateSecretProperties(n, "", { notBefore: future })),
      ofSecret("secret-exists/network", /^secret demo-network expired on 2025-01-01T00:00:00Z$/, (s, n) =>
        s.updateSecretProperties(n, "", { notBefore: new Date("2024-01-01T00:00:00Z"), expiresOn: past }),
      ),
      ofSecret("secret-not-deleted/file", /was deleted on/, async (s, n) => (await s.beginDeleteSecret(n)).pollUntilDone()),
      {
        row: "certificate-current/ingress",
        warning: true,
        evidence: /the newest version of demo-ingress-cert is/,
        breaks: (state) => newCertificate(state, "demo-ingress-cert"),
        follow: firstLine,
      },
      {
        row: "certificate-current/kms",
        warning: true,
        evidence: /has no certificate demo-kms-cert of set demo, so the credential cannot be rotated$/,
        breaks: async ({ azure, vault }) => {
          const { certificates } = await azure.vaultContent(vault);
          await (await certificates.beginDeleteCertificate("demo-kms-cert")).pollUntilDone();
        },
        follow: firstLine,
      },
      ofSecret(
        "credential-dates/nodepool-mgmt",
        /^not_before \(2099-01-01T00:00:00Z\) is in the future$/,
        rewritten(() => ({ not_before: "2099-01-01T00:00:00Z", not_after: "2099-02-01T00:00:00Z" })),
      ),
      ofSecret(
        "credential-dates/cloud-provider",
        /^not_before is not an RFC 3339 time/,
        rewritten(() => ({ not_before: "2026-02-30T00:00:00Z" })),
      ),
      ofSecret(
        "secret-attributes/image-registry",
        /^not_before and the start of the certificate differ: 2020-01-01T00:00:00Z/,
        (s, n, fields) => undated(s, n, { ...fields, not_before: "2020-01-01T00:00:00Z" }),
        { warning: true },
      ),
      ofSecret(
        "secret-attributes/kms",
        /^the tag renew_after and the field in the value differ: \S+, soon$/,
        rewritten(() => ({ renew_after: "soon" })),
        { warning: true },
      ),
    ],
  },
  {
    title: "certificates created 13 months ago, one rotated 11 months ago",
    daysAgo: 400,
    rows: [
      {
        row: "credential-expiry/cpo",
        warning: true,
        evidence: /^it expires on \d{4}-.*, in 2\d days$/,
        breaks: (state) =>
          state.aroHcp(
            ["rotate", "credentials", "--name", "demo", "--resource-group-name", "demo-common", "--component", "cpo", "--overlap", "1s"],
            { daysAgo: 340 },
          ),
        follow: firstLine,
      },
      ofSecret("credential-certificate/disk", /^the certificate [0-9A-F]{40} expired on /, undated),
      ...agedRest.map((component): Row => ({
        row: `secret-exists/${component}`,
        evidence: new RegExp(`^secret demo-${component} expired on `),
        breaks: nothing,
        follow: firstLine,
      })),
    ],
  },
  {
    title: "a disabled key for etcd encryption",
    given: async (state) => ({ encryptionKeyId: await withKey(state, "off", { kty: "RSA", attributes: { enabled: false } }) }),
    rows: [{ row: "kms-key/kms", evidence: /of key off is disabled/, breaks: nothing, follow: firstLine }],
  },
  {
    title: "an expired key for etcd encryption",
    given: async (state) => ({
      encryptionKeyId: await withKey(state, "old", { kty: "RSA", attributes: { expires: past.getTime() / 1000 } }),
    }),
    rows: [
      {
        row: "kms-key/kms",
        evidence: /of key old expired on 2025-01-01T00:00:00Z/,
        breaks: nothing,
        follow: async (state, result) => void (await run(state, commandsIn(result)[0] ?? "", { "<a later time>": "2099-01-01T00:00:00Z" })),
      },
    ],
  },
  {
    title: "a key for etcd encryption without the required operations",
    given: async (state) => ({ encryptionKeyId: await withKey(state, "signs", { kty: "RSA", keyOps: ["sign"] }) }),
    rows: [{ row: "kms-key/kms", evidence: /does not allow the key operations encrypt and decrypt$/, breaks: nothing, follow: firstLine }],
  },
  {
    title: "an unknown version of the key for etcd encryption",
    given: async (state) => ({ encryptionKeyId: (await withKey(state, "etcd", rsa)).replace(/\w+$/, "0".repeat(32)) }),
    rows: [
      {
        row: "kms-key/kms",
        evidence: /has no version 0{32} of key etcd/,
        breaks: nothing,
        follow: async (state, result) => ({ encryptionKeyId: String(await run(state, commandsIn(result)[0] ?? "")) }),
      },
    ],
  },
  {
    title: "a key for etcd encryption that is not RSA",
    given: async (state) => ({ encryptionKeyId: await withKey(state, "curve", { kty: "EC", curveName: "P-256" }) }),
    rows: [
      {
        row: "kms-key/kms",
        evidence: /is of type EC/,
        breaks: nothing,
        async follow(state, result) {
          await run(state, commandsIn(result)[0] ?? "", { "<name>": "wrapping" });
          return { encryptionKeyId: await keyIn(state, "wrapping", rsa) };
        },
      },
    ],
  },
  {
    title: "a KMS identity without permission to use the key",
    given: async (state) => ({ encryptionKeyId: await keyIn(state, "etcd", rsa) }),
    rows: [
      {
        row: "kms-role/kms",
        evidence: /no role assignment Key Vault Crypto User for kms on Key Vault/,
        breaks: nothing,
        follow: firstLine,
      },
    ],
  },
];

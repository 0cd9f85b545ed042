/** Rows of the checks of the vault's secrets, of their content and of their certificates. */
import type { SecretClient } from "@azure/keyvault-secrets";
import { firstLine } from "../../verify/advice.js";
import { pkcs12Of, rewritten, writeSecret, type Fields } from "./credential-writing.js";
import type { HealthyState } from "../../verify/healthy-state.js";
import type { Row } from "./identity-rows.js";

/** A row of a component's secret; `damage` introduces the fault. */
function ofSecret(
  row: string,
  fault: string,
  evidence: RegExp,
  damage: (secrets: SecretClient, name: string, fields: Fields) => Promise<unknown>,
  more: Partial<Row> = {},
): Row {
  return {
    row,
    fault,
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

const warning = { warning: true } as const;
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

const contentRows: readonly Row[] = [
  ofSecret("credential-json/cpo", "a value in PEM", /the value is PEM/, (s, n) => writeSecret(s, n, "-----BEGIN CERTIFICATE-----")),
  ofSecret(
    "credential-fields/nodepool-mgmt",
    "names in camel case and an empty value",
    /missing or empty: client_id, tenant_id; pods do not read names in camel case: clientId, tenantId$/,
    rewritten(({ client_id, tenant_id }) => ({ client_id: undefined, tenant_id: "", clientId: client_id, tenantId: tenant_id })),
  ),
  ofSecret(
    "credential-identity/cloud-provider",
    "another client ID than the file's",
    /client_id is 1111\S*, but \S+ in the file/,
    rewritten(() => ({ client_id: "11111111-1111-4111-8111-111111111111" })),
  ),
  ofSecret(
    "credential-endpoint/disk",
    "the endpoint of another cloud",
    /is https:\/\/login\.microsoftonline\.us\/, but AzurePublicCloud uses https:\/\/login\.microsoftonline\.com\//,
    rewritten(() => ({ authentication_endpoint: "https://login.microsoftonline.us/" })),
  ),
  ofSecret(
    "credential-dates/file",
    "a date without T",
    /not_before is not an RFC 3339 time/,
    rewritten(({ not_before = "" }) => ({ not_before: not_before.replace("T", " ") })),
  ),
  ofSecret(
    "credential-dates/cloud-provider",
    "a day that does not exist",
    /^not_before is not an RFC 3339 time/,
    rewritten(() => ({ not_before: "2026-02-30T00:00:00Z" })),
  ),
  ofSecret(
    "credential-dates/nodepool-mgmt",
    "a start in the future",
    /^not_before \(2099-01-01T00:00:00Z\) is in the future$/,
    rewritten(() => ({ not_before: "2099-01-01T00:00:00Z", not_after: "2099-02-01T00:00:00Z" })),
  ),
  ofSecret(
    "credential-certificate/ingress",
    "PKCS#12 that pods cannot read",
    /client_secret: it is PKCS#12 with modern encryption \(PBES2\)/,
    rewritten((fields) => ({ client_secret: pkcs12Of(fields, "aes256") })),
  ),
  ofSecret(
    "credential-certificate/kms",
    "a value that is not base64",
    /it is not base64/,
    rewritten(() => ({ client_secret: "*" })),
  ),
  ofSecret(
    "credential-certificate/disk",
    "an expired certificate in a secret without an expiry date",
    /^the certificate [0-9A-F]{40} expired on /,
    undated,
    {
      daysAgo: 400,
    },
  ),
  {
    row: "credential-expiry/cpo",
    fault: "a certificate that expires within 30 days",
    warning: true,
    daysAgo: 340,
    evidence: /^it expires on \d{4}-.*, in 2\d days$/,
    follow: firstLine,
  },
];

const attributeRows: readonly Row[] = [
  ofSecret("secret-exists/cpo", "a disabled secret", /is disabled/, (s, n) => s.updateSecretProperties(n, "", { enabled: false })),
  ofSecret("secret-exists/disk", "a secret that is not valid yet", /is not valid before/, (s, n) =>
    s.updateSecretProperties(n, "", { notBefore: future }),
  ),
  ofSecret("secret-exists/network", "a secret that expired", /^secret demo-network expired on 2025-01-01T00:00:00Z$/, (s, n) =>
    s.updateSecretProperties(n, "", { notBefore: new Date("2024-01-01T00:00:00Z"), expiresOn: past }),
  ),
  {
    row: "secret-exists/kms",
    fault: "a secret that expired with its certificate",
    daysAgo: 400,
    evidence: /^secret demo-kms expired on /,
    follow: firstLine,
  },
  ofSecret("secret-not-deleted/file", "a deleted secret", /was deleted on/, async (s, n) => (await s.beginDeleteSecret(n)).pollUntilDone()),
  ofSecret(
    "secret-attributes/network",
    "a tag that differs from the field",
    /the tag renew_after and the field in the value differ: 2020-01-01T00:00:00Z/,
    (s, n, fields) => writeSecret(s, n, JSON.stringify(fields), { renew_after: "2020-01-01T00:00:00Z" }),
    warning,
  ),
  ofSecret(
    "secret-attributes/image-registry",
    "a start that differs from the certificate's",
    /^not_before and the start of the certificate differ: 2020-01-01T00:00:00Z/,
    (s, n, fields) => undated(s, n, { ...fields, not_before: "2020-01-01T00:00:00Z" }),
    warning,
  ),
  ofSecret(
    "secret-attributes/kms",
    "a field that is not a time",
    /^the tag renew_after and the field in the value differ: \S+, soon$/,
    rewritten(() => ({ renew_after: "soon" })),
    warning,
  ),
  {
    row: "certificate-current/ingress",
    fault: "a newer certificate",
    warning: true,
    evidence: /the newest version of demo-ingress-cert is/,
    breaks: (state) => newCertificate(state, "demo-ingress-cert"),
    follow: firstLine,
  },
  {
    row: "certificate-current/kms",
    fault: "a deleted certificate",
    warning: true,
    evidence: /has no certificate demo-kms-cert of set demo, so the credential cannot be rotated$/,
    breaks: async ({ azure, vault }) => {
      const { certificates } = await azure.vaultContent(vault);
      await (await certificates.beginDeleteCertificate("demo-kms-cert")).pollUntilDone();
    },
    follow: firstLine,
  },
];

export const secretRows: readonly Row[] = [...contentRows, ...attributeRows];

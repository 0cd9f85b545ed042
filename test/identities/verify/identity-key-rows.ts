/** Rows of the checks of the key that encrypts etcd. */
import { cryptoUser } from "../../../src/domain/roles.js";
import { firstLine, run } from "../../verify/advice.js";
import { commandsIn, type HealthyState } from "../../verify/healthy-state.js";
import { applicationOf, assign, assignmentsOf, far } from "./identity-edits.js";
import { changeState } from "../../harness/state-changes.js";
import type { Row } from "./identity-rows.js";

/** Creates a key in the vault and returns its ID. */
export async function keyIn(state: HealthyState, name: string, properties: object): Promise<string> {
  const { keys } = await state.azure.vaults();
  return (await keys.createIfNotExist("demo-common", state.vault, name, { properties })).keyUriWithVersion ?? "";
}

const rsa = { kty: "RSA", keySize: 2048 };

/** The same; the KMS identity may use the vault's keys. */
export async function withKey(state: HealthyState, name: string, properties: object): Promise<string> {
  await changeState(state, (stored) => {
    const vault = Object.values(stored.resources).find((resource) => resource.name === state.vault);
    const { servicePrincipalId = "" } = applicationOf(stored, "kms");
    assign(stored, vault?.id ?? "", cryptoUser.id, servicePrincipalId, "00000000-0000-4000-8000-00000000dddd");
  });
  return keyIn(state, name, properties);
}

/** A row of the key with these properties; `edit` changes its ID for the verification. */
function ofKey(fault: string, properties: object, evidence: RegExp, more: Partial<Row>, edit = (id: string): string => id): Row {
  const given = async (state: HealthyState) => ({ encryptionKeyId: edit(await withKey(state, "etcd", properties)) });
  return { row: "kms-key/kms", fault, evidence, given, ...more };
}

const seconds = (time: string): number => Date.parse(time) / 1000;

export const keyRows: readonly Row[] = [
  ofKey("a disabled key", { kty: "RSA", attributes: { enabled: false } }, /of key etcd is disabled/, { follow: firstLine }),
  ofKey(
    "an expired key",
    { kty: "RSA", attributes: { expires: seconds("2025-01-01T00:00:00Z") } },
    /of key etcd expired on 2025-01-01T00:00:00Z/,
    {
      follow: async (state, result) => void (await run(state, commandsIn(result)[0] ?? "", { "<a later time>": "2099-01-01T00:00:00Z" })),
    },
  ),
  ofKey(
    "a key that is not valid yet",
    { kty: "RSA", attributes: { notBefore: seconds("2099-01-01T00:00:00Z") } },
    /not valid before 2099-01-01/,
    {
      follow: async (state, result) =>
        void (await run(state, commandsIn(result)[0] ?? "", { "<an earlier time>": "2025-01-01T00:00:00Z" })),
    },
  ),
  ofKey(
    "a key without the required operations",
    { kty: "RSA", keyOps: ["sign"] },
    /does not allow the key operations encrypt and decrypt$/,
    { follow: firstLine },
  ),
  ofKey(
    "a key without one of the required operations",
    { kty: "RSA", keyOps: ["sign", "decrypt"] },
    /does not allow the key operations encrypt$/,
    { follow: firstLine },
  ),
  ofKey(
    "a version that does not exist",
    rsa,
    /has no version 0{32} of key etcd/,
    { follow: async (state, result) => ({ encryptionKeyId: String(await run(state, commandsIn(result)[0] ?? "")) }) },
    (id) => id.replace(/\w+$/, "0".repeat(32)),
  ),
  ofKey("a key that is not RSA", { kty: "EC", curveName: "P-256" }, /is of type EC/, {
    async follow(state, result) {
      await run(state, commandsIn(result)[0] ?? "", { "<name>": "wrapping" });
      return { encryptionKeyId: await keyIn(state, "wrapping", rsa) };
    },
  }),
  ofKey("a vault that does not exist", rsa, /has no vault elsewhere/, { next: /^correct --encryption-key-id, or pass/ }, (id) =>
    id.replace(/kv-demo-\d+/, "elsewhere"),
  ),
  ofKey(
    "a vault in another cloud",
    rsa,
    /is at vault\.azure\.cn, but vaults of AzurePublicCloud are at vault\.azure\.net/,
    { next: /^pass a key in this cloud/ },
    (id) => id.replace("vault.azure.net", "vault.azure.cn"),
  ),
  {
    row: "kms-role/kms",
    fault: "a missing role",
    given: async (state) => ({ encryptionKeyId: await keyIn(state, "etcd", rsa) }),
    evidence: /no role assignment Key Vault Crypto User for kms on Key Vault/,
    follow: firstLine,
  },
  {
    row: "kms-use/kms",
    fault: "a role assignment without effect yet",
    async given(state) {
      const encryptionKeyId = await withKey(state, "etcd", rsa);
      await takesEffect(state, far);
      return { encryptionKeyId };
    },
    evidence: /^ForbiddenByRbac: the KMS identity may not use version \w+ of key etcd yet$/,
    next: /takes up to 10 minutes to take effect; verify again after that$/,
    follow: (state) => takesEffect(state, 0),
  },
];

/** When the data roles of the KMS identity apply. */
function takesEffect(state: HealthyState, dataFrom: number): Promise<void> {
  return changeState(state, (stored) => assignmentsOf(stored, "kms").forEach(([, each]) => (each.dataFrom = dataFrom)));
}

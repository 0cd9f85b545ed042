/** The checks of `verify identities` on files, on the vault and on secrets; and whether every check has a row. */
import { expect, test } from "vitest";
import { identityCheckIds } from "../../../src/identities/verify/checks.js";
import { healthyState } from "../../verify/healthy-state.js";
import { entraRows } from "./identity-entra-rows.js";
import { fileRows } from "./identity-file-rows.js";
import { issuerRows } from "./identity-issuer-rows.js";
import { keyRows, withKey } from "./identity-key-rows.js";
import { roleRows } from "./identity-role-rows.js";
import type { Row } from "./identity-rows.js";
import { testRows } from "./identity-row-tests.js";
import { secretRows } from "./identity-secret-rows.js";
import { vaultRows } from "./identity-vault-rows.js";

const testedHere: readonly Row[] = [...fileRows, ...vaultRows, ...secretRows];
const rows: readonly Row[] = [...testedHere, ...keyRows, ...entraRows, ...roleRows, ...issuerRows];

test("every check passes in a healthy state, and every check outside the management cluster has a row", async () => {
  const state = await healthyState();
  const results = await state.verify({ encryptionKeyId: await withKey(state, "etcd", { kty: "RSA" }) });
  const skipped = results.filter(({ state }) => state !== "passed");
  expect([...new Set(skipped.map(({ subject, evidence }) => `${subject}: ${evidence}`))]).toEqual([
    "management cluster: --kubeconfig is not specified",
  ]);
  const elsewhere = new Set(skipped.map(({ check }) => check));
  const followed = rows.filter(({ follow }) => follow).map(({ row }) => row.split("/")[0]);
  expect([...new Set(followed)].sort()).toEqual(identityCheckIds.filter((id) => !elsewhere.has(id)).sort());
});

testRows(testedHere);

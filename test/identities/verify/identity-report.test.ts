/** A whole verification: it needs few requests, writes nothing to Azure, and its report contains no secret. */
import { readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { all } from "../../../src/azure/pages.js";
import { temporaryDirectory } from "../../harness/temporary-directory.js";
import { writes, type Exchange } from "../../harness/test-emulator.js";
import { findings, healthyState, rowOf, type HealthyState } from "../../verify/healthy-state.js";

/** A piece of each private key: of the cluster's, and of each credential in the vault. */
async function secretsOf({ files, azure, vault }: HealthyState): Promise<string[]> {
  const { secrets } = await azure.vaultContent(vault);
  const names = (await all(secrets.listPropertiesOfSecrets())).map(({ name }) => name);
  const values = await Promise.all(names.map(async (name) => (await secrets.getSecret(name)).value ?? ""));
  const signer = await readFile(join(files, "serviceaccount-signer.private"), "utf8");
  return [...values.map((value) => value.slice(-200, -150)), signer.split("\n")[15] ?? ""];
}

test("a cluster is verified with at most 60 requests, and all of them only read", async () => {
  const record = join(temporaryDirectory().path, "traffic.ndjson");
  const state = await healthyState({ ARO_HCP_LOCAL_RECORD: record });
  expect(findings(await state.verify())).toEqual([]);
  const traffic = (await readFile(record, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Exchange);
  // Nine control plane identities, including the optional one for KMS, and three data plane identities.
  expect(traffic.length, traffic.map(({ method, url }) => `${method} ${url}`).join("\n")).toBeLessThanOrEqual(60);
  expect(writes(traffic)).toEqual([]);
});

test("--output-report writes a page that only its owner can read, and neither the page nor the result contains a secret", async () => {
  const state = await healthyState();
  const report = join(state.files, "report.html");
  const stdout = await state.aroHcp(["verify", "identities", "--input-dir", state.files, "--output-report", report, "--output", "json"]);
  const page = await readFile(report, "utf8");
  expect((await stat(report)).mode & 0o077).toBe(0);
  expect(page).toMatch(/<h1>Identities of demo \(demo-x7k2\)<\/h1>[\s\S]*No check failed, and \d+ checks were skipped/);
  // Secret, pod, application, role, groups; issuer, service account, managed identity; vault.
  for (const flow of [
    /demo-cpo, ok; control-plane-operator, managed-azure-cpo, skip: not checked; cpo, [0-9a-f-]{36}, ok; Contributor, ok; resource group demo-demo-x7k2 \(managed\), resource group demo-demo-x7k2-nsg \(security group\), resource group demo-demo-x7k2-vnet \(network\), ok\./,
    /https:\/\/demo1e0571.blob.core.windows.net\/demo, ok; registry, openshift-image-registry, skip: not checked; image-registry-MI, [0-9a-f-]{36}, ok; Azure Red Hat OpenShift Image Registry Operator, ok; resource group demo-demo-x7k2 \(managed\), ok\./,
    /kms, [0-9a-f-]{36}, ok; Key Vault Crypto User, ok; [^;]*demo-etcd-encryption in kv-demo-[0-9]{6}[^;]*, ok\./,
    /<title>Key Vault kv-demo-[0-9]{6}, ok<\/title>/,
  ]) {
    expect(page).toMatch(flow);
  }
  const secrets = await secretsOf(state);
  expect(secrets.filter((secret) => secret.length < 40)).toEqual([]);
  for (const text of [page, stdout]) {
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    expect(text).not.toMatch(/BEGIN|eyJ/);
  }
});

test("--output-report replaces only an earlier report or an empty file", async () => {
  const state = await healthyState();
  const verify = (report: string) =>
    state.run("verify", "identities", "--input-dir", state.files, "--only", "file-shape", "--output-report", join(state.files, report));
  await writeFile(join(state.files, "mine.html"), "<!doctype html>\n");
  await writeFile(join(state.files, "empty.html"), "");
  await symlink("identities.json", join(state.files, "link.html"));
  const files = ["identities.json", "serviceaccount-signer.private", "mine.html", "link.html"];
  const before = await Promise.all(files.map((file) => readFile(join(state.files, file), "utf8")));
  for (const file of files) {
    expect(await verify(file)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/is also an input|it is a file that this command did not write/) as string,
    });
  }
  expect(await verify(".")).toMatchObject({ code: 2, stderr: expect.stringContaining("it is a directory") as string });
  expect(await Promise.all(files.map((file) => readFile(join(state.files, file), "utf8")))).toEqual(before);
  for (const file of ["empty.html", "empty.html"]) expect((await verify(file)).code).toBe(0);
  expect(await readFile(join(state.files, "empty.html"), "utf8")).toContain("<h1>Identities of demo (demo-x7k2)</h1>");
});

test("a denied list is reported with Azure's message, and the advice asks only for Reader", async () => {
  const said =
    "The client 'x' does not have authorization to perform action 'Microsoft.KeyVault/vaults/read' over scope '/subscriptions/y'.";
  const faults = join(temporaryDirectory().path, "faults.json");
  const answer = { status: 403, body: { error: { code: "AuthorizationFailed", message: said } } };
  await writeFile(faults, JSON.stringify([{ path: "/Microsoft.KeyVault/vaults$", times: 9, answer }]));
  const state = await healthyState({ ARO_HCP_LOCAL_FAULTS: faults });
  const results = await state.verify();
  expect(findings(results)).toEqual(["vault-exists/vault failed"]);
  const { evidence, next } = rowOf(results, "vault-exists", "vault");
  expect(evidence).toContain(said);
  expect(next).toMatch(/^ask an owner for "Reader" on the scope that the reason names/);
});

test("the page is written even if an identity file is invalid, and shows the finding", async () => {
  const state = await healthyState();
  const report = join(state.files, "report.html");
  await writeFile(join(state.files, "identities.json"), '{"controlPlane":');
  const { code } = await state.run("verify", "identities", "--input-dir", state.files, "--output-report", report);
  expect(code).toBe(6);
  const page = await readFile(report, "utf8");
  expect(page).toContain("FAIL: file-shape");
  expect(page).toContain("of cpo, skip: file-values secret-not-deleted");
});

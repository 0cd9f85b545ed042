/** Forms of the identity files, several faults at once, and the command line. For each check, see `identity-row-tests.ts`. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { givenDocument } from "../../../src/files/given-document.js";
import type { RenderedResult as Result } from "../../../src/run/verification.js";
import { placePrivateKey, testKey } from "../../issuer/signing-keys.js";
import { demoIssuer } from "../../harness/demo-issuer.js";
import { findings, healthyState, rowOf, type HealthyState } from "../../verify/healthy-state.js";
import { editFiles, identitiesOutputFile, type Files } from "./identity-rows.js";

test("two components with the same client ID or the same secret are both reported", async () => {
  const state = await healthyState();
  await editFiles(state, ({ controlPlane: { disk, file } }) => {
    file!["clientID"] = String(disk!["clientID"]).toUpperCase();
    file!["credentialsSecretName"] = disk!["credentialsSecretName"];
  });
  const results = await state.verify();
  expect(findings(results)).toEqual(["file-values/disk failed", "file-values/file failed"]);
  expect(rowOf(results, "file-values", "disk").evidence).toBe("clientID also belongs to file; credentialsSecretName also belongs to file");

  await editFiles(state, ({ controlPlane: { disk, file } }) => {
    delete disk!["clientID"];
    delete file!["clientID"];
    file!["credentialsSecretName"] = "demo-file";
  });
  // Two missing values are not equal.
  expect(rowOf(await state.verify(), "file-values", "disk").evidence).toBe("clientID is not a UUID");
});

test("an unreadable or missing file is a result, and files of HyperShift's scripts pass", async () => {
  const state = await healthyState();
  const unreadable = await state.verify({ managedIdentities: await givenDocument(join(state.files, "absent.json")) });
  expect(findings(unreadable)).toEqual(["file-shape/control plane failed"]);
  expect(rowOf(unreadable, "file-shape", "control plane").evidence).toMatch(/^ARO-FILE-001: cannot read .*ENOENT/);
  expect(rowOf(unreadable, "file-data-plane", "azure-disk-MI")).toMatchObject({ state: "skipped" });

  const none = await state.verify({ managedIdentities: undefined });
  expect(findings(none)).toEqual([]);
  const ofFiles = none.filter(({ check }) => /^(?:file|vault|secret|credential)-/.test(check));
  expect(new Set(ofFiles.map(({ state }) => state))).toEqual(new Set(["skipped"]));

  const { controlPlane, dataPlane } = JSON.parse(await readFile(identitiesOutputFile(state), "utf8")) as Files;
  const cp = join(state.files, "cp-output.json");
  const dp = join(state.files, "dp-output.json");
  const entries = Object.entries(controlPlane).map(([key, entry]) => [
    key,
    key.startsWith("managed") ? entry : { ...entry, certificateName: "x" },
  ]);
  await writeFile(cp, JSON.stringify({ ...Object.fromEntries(entries), velero: { clientID: "y" } }));
  // The IDs are unquoted, which is YAML but not JSON.
  await writeFile(
    dp,
    `{ ${Object.entries(dataPlane)
      .map(([key, id]) => `${key}: ${String(id)}`)
      .join(", ")} }`,
  );
  const results = await state.verify({ managedIdentities: await givenDocument(cp), dataPlaneIdentities: await givenDocument(dp) });
  expect(findings(results)).toEqual([]);
  expect(rowOf(results, "file-shape", "data plane").state).toBe("passed");
});

test("the directory of an earlier cluster with the same name is recognized: the advice publishes and deletes nothing", async () => {
  const state = await healthyState();
  await editFiles(state, ({ dataPlane, controlPlane }) => {
    [dataPlane["diskMSIClientID"], dataPlane["fileMSIClientID"]] = [dataPlane["fileMSIClientID"], dataPlane["diskMSIClientID"]];
    [controlPlane["disk"], controlPlane["file"]] = [controlPlane["file"]!, controlPlane["disk"]!];
  });
  await placePrivateKey(join(state.files, "earlier"), testKey());
  const signingKeyPath = join(state.files, "earlier", "serviceaccount-signer.private");
  const results = await state.verify({ signingKeyPath });
  expect(findings(results)).toEqual([
    "file-component/azure-disk-MI failed",
    "file-component/azure-file-MI failed",
    "file-component/disk failed",
    "file-component/file failed",
    "issuer-keys/issuer failed",
  ]);
  expect(rowOf(results, "issuer-keys", "issuer").next).toMatch(/an earlier cluster of the same name; .*do not publish that key$/);
  expect(results.map(({ next }) => next ?? "").join()).not.toMatch(/ delete |federated-credential|oidc-issuer /);
});

test("without the image registry capability, its entry may be absent", async () => {
  const state = await healthyState();
  await editFiles(state, ({ controlPlane }) => void delete controlPlane["imageRegistry"]);
  expect(findings(await state.verify())).toEqual(["file-entries/control plane failed"]);
  const results = await state.verify({ disabledCapabilities: ["ImageRegistry"] });
  expect(findings(results)).toEqual([]);
  expect(rowOf(results, "file-values", "image-registry")).toMatchObject({
    state: "skipped",
    evidence: "the file has no entry for imageRegistry",
  });
});

test("a vault that does not exist is reported", async () => {
  const state = await healthyState();
  await editFiles(state, ({ controlPlane }) => void (controlPlane["managedIdentitiesKeyVault"]!["name"] = "kv-elsewhere"));
  const elsewhere = await state.verify();
  expect(findings(elsewhere)).toEqual(["vault-exists/vault failed"]);
  expect(rowOf(elsewhere, "vault-exists", "vault").evidence).toMatch(/has no vault kv-elsewhere$/);
});

test("the command prints all results or the selected ones, as text or JSON, and sets the exit code", async () => {
  const state = await healthyState();
  const run = (...flags: readonly string[]) => state.run("verify", "identities", "--input-dir", state.files, ...flags);
  const healthy = await run();
  expect(healthy).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok {3}cpo +\d+ ok$/m) as unknown });
  expect(healthy.stdout).toMatch(/\n\d+ passed(, \d+ skipped)?\n$/);

  expect(healthy.stdout.split("\n\n")[0]).toMatch(
    new RegExp(`^identities of demo \\(demo-x7k2\\): \\S+identities\\.json, vault ${state.vault}, subscription 5b5c0000-\\S+$`),
  );
  expect(healthy.stdout).not.toContain("create all");

  const { secrets } = await state.azure.vaultContent(state.vault);
  await secrets.updateSecretProperties("demo-disk", "", { enabled: false });
  const broken = await run();
  expect(broken.code).toBe(6);
  expect(broken.stdout).not.toContain("create all");
  expect(broken.stdout).toMatch(/^FAIL disk .*1 failed/m);
  expect(broken.stdout).toContain(`\`az keyvault secret set-attributes --vault-name ${state.vault} --name demo-disk --enabled true\``);

  const swapped = await editFiles(state, ({ dataPlane }) => {
    [dataPlane["diskMSIClientID"], dataPlane["fileMSIClientID"]] = [dataPlane["fileMSIClientID"], dataPlane["diskMSIClientID"]];
  });
  const wrongFile = await run();
  await swapped();
  expect(wrongFile.stdout.split(/\d+ passed, /)[1]).toMatch(
    /the create all that writes .* is not complete, or what it made has changed since: rerun it before you follow other advice/,
  );

  const chosen = await run("--component", "disk", "--only", "credential-json", "--output", "json");
  expect(chosen.code).toBe(6);
  const { ok, counts, results } = JSON.parse(chosen.stdout) as { ok: boolean; counts: unknown; results: Result[] };
  expect({ ok, counts, rows: results.map(({ check, subject, state }) => [check, subject, state]) }).toEqual({
    ok: false,
    counts: { passed: 0, warning: 0, failed: 1, skipped: 1 },
    rows: [
      ["secret-exists", "disk", "failed"],
      ["credential-json", "disk", "skipped"],
    ],
  });
  expect(await run("--component", "cpo", "--only", "credential-expiry", "--watch-expiry", "400")).toMatchObject({ code: 3 });
  const kms = await editFiles(state, (files) => void delete files.kms);
  await rm(join(state.files, "encryption-key.json"));
  expect(await run("--only", "kms-key", "--component", "kms")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/--only kms-key --component kms: no check matches these filters/) as unknown,
  });
  await kms();
  for (const command of ["identities", "infra"]) {
    const { code, stdout, stderr } = await state.run("verify", command, "--input-dir", state.directory);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/--input-dir: \S+ is not an output directory of create all: (identities|infra)\.json is missing/);
  }
  expect(await run("--only", "secret-exist")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/did you mean secret-exists/) as unknown,
  });
});

test("a file of another set than the cluster uses is one finding, and no advice changes the file", async () => {
  const state = await healthyState();
  const green = join(state.root, "green");
  const path = (directory: string, name: string) => join(directory, `${name}.json`);
  await mkdir(green);
  await state.aroHcp([
    ...["create", "identities", "--cloud", "local", "--identities-name", "green", "--oidc-issuer-url", demoIssuer],
    ...["--output-managed-identities", path(green, "control"), "--output-data-plane-identities", path(green, "data"), "--yes"],
    ...["--output-file", path(green, "both")],
  ]);
  const own = (name: string) => path(state.files, name);
  const control = (file: string) => ["--managed-identities-file", file];
  const data = (file: string) => ["--data-plane-identities-file", file];
  const infra = ["--infra-file", own("infra")];
  const wrong = {
    control: [...control(path(green, "control")), ...data(own("data-plane-identities"))],
    data: [...control(own("managed-identities")), ...data(path(green, "data"))],
  } as const;
  for (const plane of ["control", "data"] as const) {
    const [file, used] = [`${plane}-plane identities in ${path(green, plane)}`, "identity set demo in resource group demo-common"];
    for (const of of ["verify identities", "verify infra", "verify all"]) {
      const given = of === "verify all" ? ["--input-dir", state.files, ...wrong[plane]] : [...infra, ...wrong[plane]];
      const failures = await failuresOf(state, [...of.split(" "), ...given]);
      expect(
        failures.map(({ check, subject }) => `${check}/${subject}`),
        of,
      ).toEqual([`file-set/${plane} plane`]);
      expect(failures[0]?.evidence).toContain(`${file} are of identity set green in resource group green-common`);
      expect(failures[0]?.evidence).toContain(used);
      expect(failures[0]?.next).toBe("pass the file of identity set demo; both files are correct for their sets");
    }
  }
  const both = await failuresOf(state, ["verify", "all", "--input-dir", state.files, ...control(path(green, "both"))]);
  expect(both.map(({ check, subject, evidence }) => `${check}/${subject}: ${evidence}`)).toEqual([
    expect.stringMatching(/^file-set\/control plane: /),
  ]);
  const unknownCluster = await failuresOf(state, ["verify", "identities", ...wrong.data]);
  expect(unknownCluster.map(({ next }) => next)).toEqual([
    "pass two files of the set that the cluster uses; with its --infra-file, verify finds which one that is",
  ]);

  const cluster = ["--name", "demo", "--infra-id", "demo-x7k2", "--base-domain", "hcp.example.com", "--dns-zone-rg-name", "dns"];
  const create = await state.run("create", "infra", "--cloud", "local", ...cluster, "--assign-identity-roles", "--yes", ...wrong.control);
  expect(create.code).toBe(5);
  expect(create.stderr.match(/^error: .*/gm)).toHaveLength(1);
  expect(create.stderr).not.toMatch(/more for the same reason|destroy those/);
});

/** The failed checks of a verification. */
async function failuresOf(state: HealthyState, args: readonly string[]): Promise<Result[]> {
  const { stdout } = await state.run(...args, "--cloud", "local", "-o", "json");
  return (JSON.parse(stdout) as { results: Result[] }).results.filter((result) => result.state === "failed");
}

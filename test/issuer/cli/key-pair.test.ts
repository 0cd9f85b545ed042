/** `create key-pair`: two files, created once. */
import { createPrivateKey, createPublicKey, randomUUID } from "node:crypto";
import { chmod, mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { holdKeys } from "../../harness/key-pool.js";
import { testEmulator } from "../../harness/test-emulator.js";
import { exits } from "../../cli/expectations.js";
import { placePrivateKey, testKey } from "../signing-keys.js";

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

test("creates a 4096-bit RSA key for its owner only, and its public key for everyone, without requests to Azure", async () => {
  const azure = await testEmulator();
  const directory = azure.path("new/keys");
  const { stdout } = exits(await azure.cli(["create", "key-pair", "--output-dir", directory, "--output", "json"]), 0);
  expect((await readdir(directory)).sort()).toEqual(["serviceaccount-signer.private", "serviceaccount-signer.public"]);
  const [privateFile, publicFile] = [join(directory, "serviceaccount-signer.private"), join(directory, "serviceaccount-signer.public")];
  const privatePem = await readFile(privateFile, "utf8");
  expect(privatePem).toMatch(/^-----BEGIN RSA PRIVATE KEY-----\n/);
  expect(createPrivateKey(privatePem).asymmetricKeyDetails).toMatchObject({ modulusLength: 4096, publicExponent: 65537n });
  expect(await readFile(publicFile, "utf8")).toBe(createPublicKey(privatePem).export({ type: "spki", format: "pem" }));
  expect([await modeOf(privateFile), await modeOf(publicFile)]).toEqual([0o600, 0o644]);
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, privateKeyFile: privateFile, publicKeyFile: publicFile, counts: { created: 1 } });
  expect(await azure.traffic()).toEqual([]);
});

test("an existing private key is kept and made private, and its public key is re-derived", async () => {
  const azure = await testEmulator();
  const directory = azure.path("keys");
  const key = testKey();
  await placePrivateKey(directory, key);
  await chmod(join(directory, "serviceaccount-signer.private"), 0o644);
  await writeFile(join(directory, "serviceaccount-signer.public"), testKey().publicPem);

  const { stdout } = exits(await azure.cli(["create", "key-pair", "--output-dir", directory, "-o", "json"]), 0);
  expect(JSON.parse(stdout)).toMatchObject({ kid: key.kid, counts: { updated: 1 } });
  expect(await readFile(join(directory, "serviceaccount-signer.private"), "utf8")).toBe(key.privatePem);
  expect(await readFile(join(directory, "serviceaccount-signer.public"), "utf8")).toBe(key.publicPem);
  expect(await modeOf(join(directory, "serviceaccount-signer.private"))).toBe(0o600);

  const again = exits(await azure.cli(["create", "key-pair", "--output-dir", directory, "-o", "json"]), 0);
  expect(JSON.parse(again.stdout)).toMatchObject({ kid: key.kid, counts: { kept: 1, updated: 0 } });
});

test("drafts of private keys from a killed run are deleted; drafts of a current run and files of others are kept", async () => {
  const azure = await testEmulator();
  const directory = azure.path("keys");
  await placePrivateKey(directory, testKey());
  const draft = `serviceaccount-signer.private.${randomUUID()}`;
  const leftovers = [draft, `${draft}.4289567473`];
  const retained = [`serviceaccount-signer.private.${randomUUID()}`, "serviceaccount-signer.private.20260131"];
  for (const name of [...leftovers, ...retained]) await writeFile(join(directory, name), testKey().privatePem, { mode: 0o600 });
  for (const name of [...leftovers, "serviceaccount-signer.private.20260131"]) await utimes(join(directory, name), 0, 0);

  const { stdout } = exits(await azure.cli(["create", "key-pair", "--output-dir", directory, "-o", "json"]), 0);
  expect(JSON.parse(stdout)).toMatchObject({ counts: { updated: 1 } });
  const pair = ["serviceaccount-signer.private", "serviceaccount-signer.public"];
  expect((await readdir(directory)).sort()).toEqual([...pair, ...retained].sort());
  const again = exits(await azure.cli(["create", "key-pair", "--output-dir", directory, "-o", "json"]), 0);
  expect(JSON.parse(again.stdout)).toMatchObject({ counts: { kept: 1, updated: 0 } });
});

test("a file that is not a key is refused and not changed", async () => {
  const azure = await testEmulator();
  const directory = azure.path("keys");
  await mkdir(directory);
  await writeFile(join(directory, "serviceaccount-signer.private"), "my notes");
  const { stderr } = exits(await azure.cli(["create", "key-pair", "--output-dir", directory]), 2);
  expect(stderr).toContain("ARO-KEY-001");
  expect(stderr).not.toContain("my notes");
  expect(await readFile(join(directory, "serviceaccount-signer.private"), "utf8")).toBe("my notes");
  expect(await readdir(directory)).toEqual(["serviceaccount-signer.private"]);
});

test("a public key of another private key is not overwritten, and a path that is not a file is not read", async () => {
  const azure = await testEmulator();
  const directory = azure.path("keys");
  await mkdir(directory);
  const [privateFile, publicFile] = [join(directory, "serviceaccount-signer.private"), join(directory, "serviceaccount-signer.public")];
  const { publicPem } = testKey();
  await writeFile(publicFile, publicPem);
  const { stderr } = exits(await azure.cli(["create", "key-pair", "--output-dir", directory]), 2);
  expect(stderr).toContain("ARO-KEY-001");
  expect([await readdir(directory), await readFile(publicFile, "utf8")]).toEqual([["serviceaccount-signer.public"], publicPem]);

  await mkdir(privateFile);
  const blocked = exits(await azure.cli(["create", "key-pair", "--output-dir", directory]), 2);
  expect(blocked.stderr).toContain(`${privateFile} is a directory`);
});

test("Ctrl-C works while the key is generated, and leaves no files", async () => {
  const azure = await testEmulator();
  const directory = azure.path("keys");
  const release = holdKeys();
  onTestFinished(release);
  const run = await azure.startCli(["create", "key-pair", "--output-dir", directory]);
  await run.shows("creating a 4096-bit key");
  run.signal("SIGINT");
  release();
  const { code, stderr } = await run.ended;
  expect(code, stderr).toBe(130);
  expect(stderr).toContain("stopping");
  expect(await readdir(directory)).toEqual([]);
});

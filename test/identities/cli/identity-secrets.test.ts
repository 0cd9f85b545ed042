/** Private keys, credentials and tokens exist only in the vault, the secret and the owner's files. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testEmulator } from "../../harness/test-emulator.js";
import { exits } from "../../cli/expectations.js";
import { createSet, destroySet, rotate, setFlags } from "./identity-sets.js";

/**
 * A part of every private key in the state, as PEM and as the credential secrets encode it. PKCS#8 starts with the modulus, which is public, so the
 * part is after it.
 */
async function secretsIn(state: string): Promise<string[]> {
  const files = (await readdir(join(state, "state"), { recursive: true })).filter((name) => name.endsWith(".json"));
  const text = (await Promise.all(files.map((name) => readFile(join(state, "state", name), "utf8")))).join("\n").replaceAll("\\n", "\n");
  const keys = text.match(/-----BEGIN PRIVATE KEY-----[\s\S]+?-----END PRIVATE KEY-----/g) ?? [];
  const encoded = [...text.matchAll(/client_secret\\*":\\*"([\w+/=]+)/g)].map(([, value = ""]) => value);
  return [...new Set([...keys.map((key) => key.split("\n")[14] ?? ""), ...encoded.map((value) => value.slice(-300, -240))])].filter(
    (part) => part.length >= 40,
  );
}

test("output, logs, events and readable files of a full run contain no secret", async () => {
  const azure = await testEmulator();
  const events = (name: string) => ["--output-events", azure.path(`${name}.ndjson`), "--debug", "--output", "json"];
  const outputs: string[] = [];
  const collect = ({ stdout, stderr }: { stdout: string; stderr: string }) => outputs.push(stdout, stderr);
  collect(exits(await createSet(azure, [...events("create"), "--output-file", azure.path("ids.json")]), 0));
  const secrets = await secretsIn(azure.directory);
  collect(exits(await rotate(azure, [...events("rotate"), "--component", "cpo", "--overlap", "1s"]), 0));
  // A failure of the request that contains the secret.
  const failure = { status: 500, body: { error: { code: "InternalServerError", message: "failed" } } };
  collect(
    await rotate(azure, [...events("failed"), "--component", "disk", "--timeout", "6m"], {
      faults: [{ method: "PUT", path: "/secrets/", answer: failure, times: 2 }],
    }),
  );
  secrets.push(...(await secretsIn(azure.directory)));
  collect(exits(await azure.cli(["show", "identities", ...setFlags, "--debug", "--output", "json"]), 0));
  collect(exits(await destroySet(azure, [...events("destroy"), "--purge"]), 0));

  expect(new Set(secrets).size).toBeGreaterThanOrEqual(16);
  const files = await Promise.all(["create", "rotate", "failed", "destroy"].map((name) => readFile(azure.path(`${name}.ndjson`), "utf8")));
  const traffic = JSON.stringify(await azure.traffic());
  const everything = [...outputs, ...files, await readFile(azure.path("ids.json"), "utf8")].join("\n");
  for (const secret of secrets) {
    expect(everything.includes(secret), "a secret is in the output").toBe(false);
    expect(traffic.includes(secret), "a secret is in the traffic record").toBe(false);
  }
  expect(everything).not.toMatch(/\beyJ[\w-]{20,}\.[\w-]{20,}/);
  expect((await stat(azure.path("ids.json"))).mode & 0o077).toBe(0);
});

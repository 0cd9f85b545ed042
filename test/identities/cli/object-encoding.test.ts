/** `--object-encoding`: the credential secrets in the vault, and the files that name their encoding. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { connectedAzure } from "../../harness/connected-azure.js";
import { realTime, testEmulator, type TestEmulator } from "../../harness/test-emulator.js";
import { exits, writesSince } from "../../cli/expectations.js";
import { components, createSet, credentialsOf, rotate } from "./identity-sets.js";

const vaultName = "demo-kv";
const kv = ["--key-vault-name", vaultName] as const;

/** What the driver writes to the file of a pod. */
async function mounted(azure: TestEmulator, name: string, encoding: BufferEncoding): Promise<unknown> {
  const { secrets } = await (await connectedAzure(azure.directory)).vaultContent(vaultName);
  return JSON.parse(Buffer.from((await secrets.getSecret(name)).value ?? "", encoding).toString());
}

async function encodings(path: string): Promise<ReadonlySet<string>> {
  const { controlPlane } = JSON.parse(await readFile(path, "utf8")) as { controlPlane: Record<string, { objectEncoding?: string }> };
  return new Set(Object.values(controlPlane).flatMap(({ objectEncoding }) => objectEncoding ?? []));
}

test.each(["hex", "base64"] as const)(
  "a set with secrets in %s is verified, kept by a rerun and a rotation, and rendered",
  async (encoding) => {
    const azure = await testEmulator({ env: realTime });
    const file = azure.path("identities.json");
    const create = (...flags: readonly string[]) => createSet(azure, [...kv, "--output-file", file, ...flags]);
    exits(await create("--object-encoding", encoding), 0);
    for (const component of components) expect(await mounted(azure, `demo-${component}`, encoding)).toHaveProperty("client_secret");
    expect(await encodings(file)).toEqual(new Set([encoding]));
    await azure.traffic();
    exits(await create(), 0);
    expect(await writesSince(azure)).toEqual([]);
    expect(await encodings(file)).toEqual(new Set([encoding]));

    exits(await rotate(azure, [...kv, "--component", "cpo", "--overlap", "1s"]), 0);
    expect(await credentialsOf(azure)).toMatchObject({ cpo: { keys: 1, certificates: 2, secrets: 2 } });
    expect(await mounted(azure, "demo-cpo", encoding)).toHaveProperty("client_secret");
    const verified = await azure.cli(["verify", "identities", "--cloud", "local", "--managed-identities-file", file, "--output", "json"]);
    const { results } = JSON.parse(verified.stdout) as { results: { check: string; state: string }[] };
    const ofSecrets = results.filter(({ check }) => /^(?:credential-|secret-attributes$|sign-in$)/.test(check));
    expect(ofSecrets.length).toBeGreaterThan(components.length);
    expect(ofSecrets.filter(({ state }) => state !== "passed")).toEqual([]);
    const reader = ["--key-vault-user-client-id", "00000000-0000-4000-8000-000000000001"];
    const classes = await azure.cli(["render", "secret-provider-classes", "--name", "demo", "--managed-identities-file", file, ...reader]);
    expect(exits(classes, 0).stdout.match(/objectEncoding: \S+/g)).toEqual(components.map(() => `objectEncoding: ${encoding}`));

    exits(await create("--object-encoding", "utf-8"), 0);
    expect(await mounted(azure, "demo-disk", "utf-8")).toHaveProperty("client_secret");
    expect(await credentialsOf(azure)).toMatchObject({ disk: { keys: 1, certificates: 1, secrets: 2 } });
    expect(await encodings(file)).toEqual(new Set(["utf-8"]));
  },
);

import { describe, expect, test } from "vitest";
import { problemsOf, resolve } from "../settings/resolving.js";

const good = { name: "demo", managedIdentitiesFile: "ids.json", keyVaultUserClientId: "1f0e0000-0000-4000-8000-00000000000a" };
type Flags = Parameters<typeof resolve>[1];
const render = (flags: Flags, environment = {}) => resolve("render secret-provider-classes", { ...good, ...flags }, environment);

describe("settings of manifests", () => {
  test.each<[Flags, string]>([
    [{ name: "Demo" }, '--name: "Demo" is not a valid Kubernetes name'],
    [{ name: "demo..dev" }, "--name: "],
    [{ namespace: "a.b" }, '--namespace: "a.b" must have 1 to 63'],
    [{ name: "d".repeat(55) }, `--name: the control plane namespace "clusters-${"d".repeat(55)}" has 64 characters`],
    [{ keyVaultUserClientId: "kv-reader" }, "--key-vault-user-client-id: .*--query addonProfiles"],
    [
      { keyVaultUserClientId: undefined },
      "--key-vault-user-client-id: is required without --management-cluster-file; .*ARO_HCP_KEY_VAULT_USER_CLIENT_ID",
    ],
    [{ kmsCredentialsSecretName: "demo_kms" }, '--kms-credentials-secret-name: "demo_kms" is not'],
    [{ format: "dot" }, '--format: "dot" is not one of '],
    [{ outputFile: "ids.json" }, '--output-file: "ids.json" is also an input'],
  ])("%j is refused", async (flags, words) => {
    const problems = (await problemsOf(render(flags))).map(({ origin, message }) => `${origin}: ${message}`);
    expect(problems.join("\n")).toMatch(new RegExp(`^${words.replaceAll(/[$()]/g, "\\$&")}`, "m"));
    expect(problems).toHaveLength(1);
  });

  test("a name can have periods, as in HyperShift; the variable is HyperShift's own", async () => {
    const environment = { ARO_HCP_KEY_VAULT_USER_CLIENT_ID: good.keyVaultUserClientId };
    const { settings } = await render({ name: "demo.dev", keyVaultUserClientId: undefined }, environment);
    expect(settings).toMatchObject({ name: "demo.dev", namespace: "clusters", keyVaultUserClientId: good.keyVaultUserClientId });
  });
});

import { describe, expect, test } from "vitest";
import { problemsOf, resolve } from "../../settings/resolving.js";

type Flags = Parameters<typeof resolve>[1];
const render = (flags: Flags) => resolve("render ingress", { serviceClusterFile: "svc.json", ...flags });
const account = "/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/a";

describe("settings of the ingress", () => {
  test.each<[Flags, string]>([
    [{ serviceClusterFile: undefined }, "--service-cluster-file: "],
    [{ regionalZone: "example" }, '--regional-zone: "example" is not the name of a DNS zone'],
    [{ regionalZone: "EastUS.example.com" }, "--regional-zone: "],
    [{ ingressHost: "rp_1" }, '--ingress-host: "rp_1" is not the name of a record'],
    [{ opsHost: "admin,-x" }, '--ops-host: "-x" is not the name of a record'],
    [{ opsHost: "rp" }, '--ops-host: "rp" is also --ingress-host'],
    [{ certificateVaultId: "kv" }, '--certificate-vault-id: "kv" is not an Azure resource ID'],
    [{ certificateVaultId: account }, "--certificate-vault-id: .* of type Microsoft.Storage/storageAccounts, not of a Key Vault"],
    [{ certificateName: "frontend_cert" }, '--certificate-name: "frontend_cert" is not the name of a certificate'],
    [{ outputDir: "out", outputFile: "all.yaml" }, "--output-dir: cannot be combined with --output-file"],
    [{ opsBackend: "admin" }, '--ops-backend: "admin" is not key=value'],
  ])("%j is refused", async (flags, words) => {
    const problems = (await problemsOf(render(flags))).map(({ origin, message }) => `${origin}: ${message}`);
    expect(problems.join("\n")).toMatch(new RegExp(`^${words}`, "m"));
    expect(problems).toHaveLength(1);
  });

  test("the apex of the zone and names below a label are records", async () => {
    const { settings } = await render({ ingressHost: "@", opsHost: "admin.ops,session" });
    expect(settings).toMatchObject({ ingressHost: "@", opsHost: ["admin.ops", "session"], opsBackend: {} });
  });
});

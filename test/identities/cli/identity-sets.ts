/** The identity set of these tests, by its flags and its IDs, which are written by hand. */
import type { CliOptions, CliResult, TestEmulator } from "../../harness/test-emulator.js";
import { groupId, subscription } from "../../cli/demo-cluster.js";

export const setFlags = ["--cloud", "local", "--name", "demo", "--resource-group-name", "common"] as const;
export const issuer = "https://issuer.example.com/demo";

export const components = ["cpo", "nodepool-mgmt", "cloud-provider", "disk", "file", "ingress", "network", "image-registry"] as const;
export const group = groupId("common");
export const vaultId = (name: string): string => `${group}/providers/Microsoft.KeyVault/vaults/${name}`;
export const identityIds = ["image-registry", "azure-disk", "azure-file"].map(
  (name) => `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}-MI-demo`,
);
export const uniqueName = (component: string): string => `aro-hcp.${subscription.replace("/subscriptions/", "")}.common.demo.${component}`;

type Flags = readonly string[];

export function createSet(azure: TestEmulator, flags: Flags = [], options?: CliOptions): Promise<CliResult> {
  return azure.cli(["create", "identities", ...setFlags, "--oidc-issuer-url", issuer, ...flags], options);
}

export function destroySet(azure: TestEmulator, flags: Flags = [], options?: CliOptions): Promise<CliResult> {
  return azure.cli(["destroy", "identities", ...setFlags, "--yes", ...flags], options);
}

export function rotate(azure: TestEmulator, flags: Flags = [], options?: CliOptions): Promise<CliResult> {
  return azure.cli(["rotate", "credentials", ...setFlags, ...flags], options);
}

/** The number of certificates of each application of the set, and of versions of its certificate and its secret in the vault. */
export async function credentialsOf(azure: TestEmulator): Promise<Record<string, { keys: number; certificates: number; secrets: number }>> {
  const { applications, vaults = {} } = await azure.snapshot();
  const vault = Object.values(vaults)[0] as { certificates: Versions; secrets: Versions } | undefined;
  return Object.fromEntries(
    (Object.values(applications) as SnapshotApplication[])
      .filter((application) => application.uniqueName?.includes(".common.demo.") === true)
      .map(({ uniqueName: name = "", certificates }) => {
        const component = name.split(".").at(-1) ?? "";
        return [
          component,
          {
            keys: certificates.length,
            certificates: vault?.certificates[`demo-${component}-cert`]?.versions.length ?? 0,
            secrets: vault?.secrets[`demo-${component}`]?.versions.length ?? 0,
          },
        ];
      }),
  );
}

type Versions = Record<string, { readonly versions: readonly unknown[] } | undefined>;

interface SnapshotApplication {
  readonly uniqueName?: string;
  readonly certificates: readonly string[];
}

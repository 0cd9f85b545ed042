/** Clusters that share an identity set, its issuer, a network and a DNS zone, and what a destroy of one of them may not take from the others. */
import { cp, mkdir } from "node:fs/promises";
import { wellKnown } from "../../src/emulator/index.js";
import { madeOnce } from "../harness/made-once.js";
import { testEmulator, type CliResult, type TestEmulator } from "../harness/test-emulator.js";
import { exits } from "./expectations.js";
import { placePrivateKey, testKey } from "../issuer/signing-keys.js";

type Flags = readonly string[];

export const local = ["--cloud", "local"] as const;
export const zone = `os4.${wellKnown.dnsZone}`;
const issuerUrl = "https://shared8d73c7.blob.core.windows.net/shared";
export const ofCluster = (name: string): Flags => [...local, "--name", name, "--infra-id", `${name}-x1`];
export const inGroup = (group: string): Flags => ["--persistent-resource-group-name", group];
const domain = ["--base-domain", zone, "--dns-zone-rg-name", "os4-dns"];
export const shared: Flags = ["--identities-name", "shared"];
const bluesGroup = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/blue-blue-x1`;
export const inBluesNetwork: Flags = [
  ...["--vnet-id", `${bluesGroup}-vnet/providers/Microsoft.Network/virtualNetworks/blue-blue-x1`],
  ...["--network-security-group-id", `${bluesGroup}-nsg/providers/Microsoft.Network/networkSecurityGroups/blue-blue-x1-nsg`],
];

/** With their set in os4-common. */
export async function createAll(azure: TestEmulator, name: string, flags: Flags = inGroup("os4-common")): Promise<void> {
  await mkdir(azure.path(name), { recursive: true });
  await placePrivateKey(azure.path(name), testKey());
  const all = [
    ...ofCluster(name),
    ...domain,
    ...shared,
    "--enable-kms",
    "--no-purge-protection",
    ...flags,
    "--output-dir",
    azure.path(name),
  ];
  exits(await azure.cli(["create", "all", ...all, "--yes"]), 0);
}

export const createZone = async (azure: TestEmulator) =>
  void exits(await azure.cli(["create", "dns-zone", ...local, ...domain, "--external-dns-identity", "none", "--yes"]), 0);

/** A cluster with its own workload identities, which trust the issuer of the set. */
export async function createWithIam(azure: TestEmulator, name: string, network: Flags = []): Promise<void> {
  const file = azure.path(`${name}-iam.json`);
  const iam = [...ofCluster(name), "--resource-group-name", `${name}-iam`, "--oidc-issuer-url", issuerUrl, "--output-file", file];
  exits(await azure.cli(["create", "iam", ...iam, "--yes"]), 0);
  const flags = [...domain, "--workload-identities-file", file, "--assign-identity-roles", ...network];
  exits(await azure.cli(["create", "infra", ...ofCluster(name), ...flags, "--yes"]), 0);
}

/** blue and green on one set, red with workload identities that trust its issuer, and pink without roles in the network of blue. */
export async function estate(): Promise<TestEmulator> {
  const prepared = await madeOnce("shared-estate", async (directory) => {
    const azure = await testEmulator();
    await createZone(azure);
    await createAll(azure, "blue");
    await createAll(azure, "green");
    await createWithIam(azure, "red");
    exits(await azure.cli(["create", "infra", ...ofCluster("pink"), ...domain, ...inBluesNetwork, "--yes"]), 0);
    await cp(azure.directory, directory, { recursive: true });
  });
  return testEmulator({ prepared });
}

type Snapshot = Awaited<ReturnType<TestEmulator["snapshot"]>>;

/** Everything except for what is the destroyed cluster's: its name is in its groups, its records and its signing key. */
export function ofOthers({ operations: _operations, ...state }: Snapshot, destroyed: string | undefined): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(state).map(([kind, entries]) => [
      kind,
      Object.fromEntries(Object.entries(entries as object).filter(([key]) => destroyed === undefined || !key.includes(`/${destroyed}-`))),
    ]),
  );
}

/** The advice in the document of a failure. */
export function adviceOf({ stdout }: CliResult): string[] {
  const { failures } = JSON.parse(stdout) as { failures: { next: string[] }[] };
  return failures.flatMap(({ next }) => next);
}

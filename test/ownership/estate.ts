/** One estate with everything that any command creates, in memory: each test destroys something of it, and the next one gets it back. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import * as demo from "../../tools/demo-cluster.js";
import { command } from "../../tools/simulation/commands.js";
import { publicFile, testKey } from "../issuer/signing-keys.js";
import { memoryAzure, type MemoryAzure } from "../harness/memory-azure.js";

const local = ["--cloud", "local"];
const set = [...local, "--name", "spare", "--resource-group-name", "spare-common"];
const cluster = [...local, "--name", "blue", "--infra-id", "blue-x1"];
const issuer = ["--oidc-issuer-url", "https://issuer.example.com/demo"];

/** The destroys, except for `destroy all`, which joins three of them. */
export const destroys = {
  infra: ["destroy", "infra", ...cluster],
  identities: ["destroy", "identities", ...set, "--purge"],
  "oidc-issuer": ["destroy", "oidc-issuer", ...local, "--name", "spare"],
  "encryption-key": ["destroy", "encryption-key", ...set, "--purge"],
  "encryption-key in an HSM": ["destroy", "encryption-key", ...set, ...demo.hsmFlags, "--purge"],
  iam: ["destroy", "iam", ...demo.iamFlags],
  "dns-zone": ["destroy", "dns-zone", ...demo.zoneFlags, "--purge"],
  "management-cluster": ["destroy", "management-cluster", ...demo.managementFlags, "--purge"],
  "service-cluster": ["destroy", "service-cluster", ...demo.serviceFlags, "--purge"],
  arc: ["destroy", "arc", ...demo.arcFlags, "--purge"],
  "arc-extension": ["destroy", "arc", "extension", ...demo.arcExtensionFlags],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Destroy = keyof typeof destroys;

export async function estate(): Promise<MemoryAzure> {
  const azure = memoryAzure();
  const { directory } = azure;
  mkdirSync(join(directory, "output"));
  const run = async (args: readonly string[]) => {
    const { code, stderr } = await azure.run(args.includes("--yes") ? args : [...args, "--yes"]);
    if (code !== 0) throw new Error(`${args.join(" ")} exited with ${String(code)}\n${stderr}`);
  };
  for (const seed of [demo.demoSeed(), demo.hsmSeed(), demo.serviceSeed()]) await azure.seed(seed);
  await azure.seed({ features: { "Microsoft.Compute/EncryptionAtHost": "Registered" } });
  const files = {
    managedIdentities: join(directory, "managed-identities.json"),
    dataPlaneIdentities: join(directory, "data-plane-identities.json"),
  };
  const infraFlags = demo.infraFlags(files).slice(demo.clusterFlags.length);
  await run(["create", "infra", ...cluster, ...infraFlags, "--egress", "nat-gateway"]);
  await run(["create", "identities", ...set, ...issuer, "--enable-kms"]);
  await run(["create", "encryption-key", ...set]);
  await run(["create", "encryption-key", ...set, ...demo.hsmFlags]);
  await run(["create", "oidc-issuer", ...local, "--name", "spare", "--public-key-file", await publicFile(directory, testKey())]);
  await run(command("create iam")(directory));
  for (const identity of ["service-principal", "workload-identity"] as const)
    await run(command(`create dns-zone with ${identity}`)(directory));
  await run(["create", "management-cluster", ...demo.managementFlags, "--preset", "production"]);
  await run(command("create service-cluster")(directory));
  await run(command("create arc")(directory));
  await azure.seed(demo.arcAgentsReport.seed);
  await run(command("create arc secrets")(directory));
  await run(command("create arc extension")(directory));
  return azure;
}

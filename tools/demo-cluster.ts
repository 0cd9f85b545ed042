/** The cluster that quickstart, benchmark, crash test and tests make: its flags, its eleven identities, and the files that tell of them. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { wellKnown } from "../src/emulator/index.js";
import { assignedComponents } from "../src/domain/components.js";

const name = "demo";
const infraId = "demo-x7k2";

/** One for each component that gets roles: eight applications of the control plane, three managed identities of the data plane. */
const identities = assignedComponents.map((component, index) => ({
  ...component,
  clientId: guid("c1d0", index),
  principalId: guid("0b1d", index),
}));
const controlPlane = identities.filter(({ plane }) => plane === "control");
const dataPlane = identities.filter(({ plane }) => plane === "data");

/** What `destroy infra` needs to know. */
export const clusterFlags = ["--cloud", "local", "--name", name, "--infra-id", infraId] as const;

/** What commands about its set of identities need to know. */
export const setFlags = ["--cloud", "local", "--name", name, "--resource-group-name", `${name}-common`] as const;

export const domainFlags = ["--base-domain", wellKnown.dnsZone] as const;
const zoneGroupFlags = ["--dns-zone-rg-name", wellKnown.dnsGroup] as const;

/** What `create all` needs to know, beside where to write. */
export const wholeFlags = [...clusterFlags, ...domainFlags, ...zoneGroupFlags] as const;

/** What `create infra` and `show infra` need to know, with all roles; the identity files are those of `writeDemoFiles`. */
export function infraFlags({ managedIdentities, dataPlaneIdentities }: DemoFiles): string[] {
  return [
    ...wholeFlags,
    ...["--managed-identities-file", managedIdentities],
    ...["--data-plane-identities-file", dataPlaneIdentities],
    "--assign-identity-roles",
  ];
}

/** For `local seed`: the identities, as whoever made them left them. */
export function demoSeed() {
  const group = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/identities`;
  return {
    resources: { [group]: { location: "eastus" } },
    applications: controlPlane.map(({ key, clientId, principalId }) => ({
      appId: clientId,
      displayName: `${name}-${key}`,
      servicePrincipalId: principalId,
    })),
    identities: dataPlane.map(({ key, clientId, principalId }) => ({
      id: `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}-${key}`,
      clientId,
      principalId,
    })),
  };
}

/** Where `writeDemoFiles` put them. */
export interface DemoFiles {
  readonly managedIdentities: string;
  readonly dataPlaneIdentities: string;
}

/** Writes the identity files into `directory`, in the shapes that the flags document. */
export function writeDemoFiles(directory: string): DemoFiles {
  mkdirSync(directory, { recursive: true });
  const write = (file: string, document: unknown): string => {
    const whole = path.join(directory, file);
    writeFileSync(whole, `${JSON.stringify(document, undefined, 2)}\n`, { mode: 0o600 });
    return whole;
  };
  return {
    managedIdentities: write("managed-identities.json", {
      managedIdentitiesKeyVault: { name: `${name}-vault`, tenantID: wellKnown.tenantId },
      ...Object.fromEntries(
        controlPlane.map(({ field, key, clientId }) => [
          field,
          { clientID: clientId, credentialsSecretName: `${name}-${key}`, objectEncoding: "utf-8" },
        ]),
      ),
    }),
    dataPlaneIdentities: write("data-plane-identities.json", Object.fromEntries(dataPlane.map(({ field, clientId }) => [field, clientId]))),
  };
}

function guid(prefix: string, index: number): string {
  return `${prefix}0000-0000-4000-8000-${String(index).padStart(12, "0")}`;
}

/** A fleet of clusters that share one identity set: in one or several subscriptions, created by one or several service principals. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { wellKnown } from "../src/emulator/index.js";
import { roleIds } from "../src/emulator/state/well-known.js";
import { demoSeed, writeDemoFiles } from "./demo-cluster.js";
import { outputDirectory } from "./simulation/commands.js";

interface Principal {
  readonly appId: string;
  readonly servicePrincipalId: string;
  readonly secret: string;
}

export interface MeasuredFleet {
  readonly clusters: number;
  readonly subscriptions: readonly string[];
  readonly principals: readonly Principal[];
}

const guid = (part: string, index: number) => `5b5c0000-${part}-4000-8000-${String(index).padStart(12, "0")}`;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

export function fleetOf(clusters: number, subscriptions: number, principals: number): MeasuredFleet {
  return {
    clusters,
    subscriptions: [wellKnown.subscriptionId, ...numbers(subscriptions - 1).map((index) => guid("5005", index))],
    principals: numbers(principals).map((index) => ({
      appId: guid("a995", index),
      servicePrincipalId: guid("0b1d", 1000 + index),
      secret: `secret-${String(index)}`,
    })),
  };
}

/** The seed document for `local seed`: a public zone in each subscription, and the principals with their rights. */
export function seedOf({ subscriptions, principals }: MeasuredFleet) {
  const { applications, resources, identities } = demoSeed();
  const others = subscriptions.slice(1);
  const zones = others.flatMap((id) => {
    const group = `/subscriptions/${id}/resourceGroups/${wellKnown.dnsGroup}`;
    return [
      [group, { location: "eastus" }],
      [`${group}/providers/Microsoft.Network/dnszones/${wellKnown.dnsZone}`, { location: "global" }],
    ] as const;
  });
  const named = principals.map((principal, index) => ({ ...principal, displayName: `ci-${String(index)}` }));
  return {
    subscriptions: others.map((subscriptionId) => ({ subscriptionId })),
    applications: [...applications, ...named.map((one) => ({ ...one, graphPermissions: ["Application.Read.All"] }))],
    identities,
    resources: { ...resources, ...Object.fromEntries<object>(zones) },
    roleAssignments: subscriptions.flatMap((id) =>
      principals.flatMap(({ servicePrincipalId: principalId }) =>
        [roleIds.contributor, roleIds.userAccessAdministrator].map((role) => ({ scope: `/subscriptions/${id}`, role, principalId })),
      ),
    ),
  };
}

/** The arguments of `create fleet`. Writes its files to the directory. */
export function createFleetArgs({ clusters, subscriptions, principals }: MeasuredFleet, directory: string): readonly string[] {
  const { subscriptionId, tenantId, dnsZone, dnsGroup } = wellKnown;
  const { managedIdentities, dataPlaneIdentities } = writeDemoFiles(directory);
  const place = path.join(directory, "fleet");
  mkdirSync(place, { recursive: true });
  const write = (name: string, content: unknown): string => {
    const file = path.join(place, name);
    writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
    return file;
  };
  const fleetFile = write("fleet.json", {
    common: {
      ...{ baseDomain: dnsZone, dnsZoneRgName: dnsGroup, location: "eastus" },
      ...{ managedIdentitiesFile: managedIdentities, dataPlaneIdentitiesFile: dataPlaneIdentities, assignIdentityRoles: true },
    },
    clusters: numbers(clusters).map((index) => ({
      name: `c${String(index)}`,
      infraId: `c${String(index)}-x7k2`,
      subscription: subscriptions[index % subscriptions.length],
    })),
  });
  const creds = principals.map(({ appId: clientId, secret: clientSecret }, index) =>
    write(`principal-${String(index)}.json`, { subscriptionId, tenantId, clientId, clientSecret }),
  );
  const output = path.join(directory, outputDirectory, "fleet");
  const files = ["--fleet-file", fleetFile, "--principals-file", write("principals.json", creds), "--output-dir", output];
  return ["create", "fleet", "--cloud", "local", ...files, "--yes"];
}

/** One name for each thing: every command identifies a component by its key, and a role assignment by role, component and scope. */
import { expect, test } from "vitest";
import { assignedComponents, componentKeys, components, otherNames } from "../../src/domain/components.js";
import { testEmulator } from "../harness/test-emulator.js";
import { groups } from "./demo-cluster.js";
import { exits } from "./expectations.js";
import { placePrivateKey, testKey } from "../issuer/signing-keys.js";

const cluster = ["--name", "demo", "--infra-id", "demo-x7k2"] as const;
const zone = ["--base-domain", "hcp.example.com", "--dns-zone-rg-name", "dns"] as const;
const set = ["--name", "demo", "--resource-group-name", "demo-common"] as const;
const local = ["--cloud", "local"] as const;

const scopeNames = { managed: groups.managed, nsg: groups.nsg, vnet: groups.vnet, dns: "dns" } as const;
const titles = assignedComponents
  .flatMap(({ key, assigned: { role, scopes } }) =>
    scopes.map((scope) => `role assignment ${role.name} for ${key} on resource group ${scopeNames[scope]}`),
  )
  .toSorted();

/** The role assignments of components in a text, without duplicates. */
function titlesIn(text: string): string[] {
  const named = text.match(/role assignment [\w ]+ for \S+ on resource group [\w-]+/g) ?? [];
  return [...new Set(named)].toSorted();
}

/** Names of a component that only files and Kubernetes use. */
const internalNames = Object.keys(otherNames).filter(
  (name) => !/^managed-azure-|-(?:operator|provider|controller|manager)$|^kube-/.test(name),
);

test("each command names every component by its key, and every role assignment by the same title", async () => {
  const azure = await testEmulator();
  await placePrivateKey(azure.path("demo"), testKey());
  const texts: string[] = [];
  const run = async (code: number, ...args: readonly string[]) => {
    const { stdout, stderr } = exits(await azure.cli(args), code);
    texts.push(stdout, stderr);
    return `${stdout}${stderr}`;
  };
  const created = await run(0, "create", "all", ...local, ...cluster, ...zone, "--output-dir", azure.path("demo"), "--enable-kms");
  expect(titlesIn(created)).toEqual(titles);
  const dir = ["--input-dir", azure.path("demo")] as const;

  const shown = await run(0, "show", "identities", ...local, ...set);
  expect(
    shown
      .split("\n")
      .slice(1, -1)
      .map((line) => line.split(" ", 1)[0]),
  ).toEqual(componentKeys);
  const json = JSON.parse(await run(0, "show", "identities", ...local, ...set, "-o", "json")) as Record<string, { component: string }[]>;
  expect([...(json["controlPlane"] ?? []), ...(json["dataPlane"] ?? [])].map(({ component }) => component)).toEqual(componentKeys);

  const verified = await run(0, "verify", "identities", ...local, ...dir, "-o", "json");
  const { results } = JSON.parse(verified.slice(verified.indexOf("{"), verified.lastIndexOf("}") + 1)) as {
    results: { check: string; subject: string; evidence: string }[];
  };
  expect(new Set(results.flatMap(({ check, subject }) => (/^file-(?:values|data-plane)$/.test(check) ? [subject] : [])))).toEqual(
    new Set<string>(componentKeys),
  );
  const held = results.filter(({ check }) => check === "role-assigned").map(({ evidence }) => evidence);
  expect(held.toSorted()).toEqual(
    assignedComponents
      .map(({ key, assigned: { role, scopes } }) => {
        const places = scopes.map((scope) => `resource group ${scopeNames[scope]}`).join(", ");
        return `role assignment ${role.name} for ${key} on ${places}`;
      })
      .toSorted(),
  );
  const files = ["--managed-identities-file", azure.path("demo/managed-identities.json")];
  files.push("--data-plane-identities-file", azure.path("demo/data-plane-identities.json"));
  const infra = ["--infra-file", azure.path("demo/infra.json")] as const;
  expect(titlesIn(await run(0, "verify", "infra", ...local, ...infra, "--dns-zone-rg-name", "dns", ...files, "-o", "json"))).toEqual(
    titles,
  );
  files.push("--assign-identity-roles");
  expect(titlesIn(await run(0, "show", "infra", ...local, ...cluster, ...zone, ...files))).toEqual(titles);
  expect(titlesIn(await run(0, "graph", "infra", ...cluster, ...zone, ...files))).toEqual(titles);
  expect(titlesIn(await run(0, "create", "infra", ...local, ...cluster, ...zone, ...files, "--dry-run", "--full-plan"))).toEqual(titles);

  const flow = await run(0, "graph", "--flow", ...dir, "--format", "dot");
  for (const { key } of components) expect(flow).toMatch(new RegExp(`"${key}\\\\n[0-9a-f-]{36}"`));
  // The key is in the file of create all.
  expect(flow).toContain("demo-etcd-encryption in kv-demo-");
  for (const { assigned } of assignedComponents) expect(flow).toContain(`"${assigned.role.name}"`);

  for (const what of ["infra", "all"] as const)
    expect(titlesIn(await run(0, "destroy", what, ...local, ...cluster, "--dry-run", "--full-plan"))).toEqual(titles);
  await run(5, "destroy", "identities", ...local, ...set, "--dry-run");
  expect(titlesIn(await run(0, "destroy", "infra", ...local, ...cluster, "--yes"))).toEqual(titles);

  const words = new Set(texts.flatMap((text) => text.split(/[^\w-]+/)));
  expect(internalNames.filter((name) => words.has(name))).toEqual([]);
});

test("--component accepts the other names of a component, and reports it by its key", async () => {
  const azure = await testEmulator();
  const file = azure.path("none.json");
  const named = ["capz", "cncc,ciroWI", "cloud-network-config-controller"].flatMap((name) => ["--component", name]);
  const { stdout } = exits(
    await azure.cli(["verify", "identities", ...local, "--managed-identities-file", file, ...named, "-o", "json"]),
    6,
  );
  const { results } = JSON.parse(stdout) as { results: { check: string; subject: string }[] };
  expect(
    results.flatMap(({ check, subject }) => (check.startsWith("file-values") || check === "file-data-plane" ? [subject] : [])),
  ).toEqual([...["nodepool-mgmt", "network", "image-registry-MI"]]);
  const wrong = exits(await azure.cli(["verify", "identities", ...local, "--managed-identities-file", file, "--component", "cap"]), 2);
  expect(wrong.stderr).toContain(`"cap" is not one of all, ${componentKeys.join(", ")}`);
});

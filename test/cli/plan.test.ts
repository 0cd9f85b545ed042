/** What a command shows before it changes anything: where and as whom, the plan in groups or in full, and the exit code for changes. */
import { readFile } from "node:fs/promises";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { setFlags, wholeFlags } from "../../tools/demo-cluster.js";
import { demo, demoDomain, testEmulator, type CliOptions, type TestEmulator } from "../harness/test-emulator.js";
import { deleteResources, updateResource } from "../harness/state-changes.js";
import { ids } from "./demo-cluster.js";
import { create, exits, refuses, writesSince } from "./expectations.js";

const all = (azure: TestEmulator, verb: "create" | "destroy", flags: readonly string[] = [], options?: CliOptions) => {
  const own = verb === "create" ? [...wholeFlags, "--output-dir", azure.path("demo")] : demo;
  return azure.cli([verb, "all", ...own, ...flags], options);
};

const header = `cloud         local (the built-in emulator)
subscription  Azure emulator (5b5c0000-0000-4000-8000-000000000001)
tenant        7e7a0000-0000-4000-8000-000000000001
signed in as  service principal c11e0000-0000-4000-8000-000000000003 of application c11e0000-0000-4000-8000-000000000001
`;

const target = {
  cloud: "local",
  subscriptionId: "5b5c0000-0000-4000-8000-000000000001",
  subscriptionName: "Azure emulator",
  tenantId: "7e7a0000-0000-4000-8000-000000000001",
  signedInAs: {
    principalType: "ServicePrincipal",
    objectId: "c11e0000-0000-4000-8000-000000000003",
    clientId: "c11e0000-0000-4000-8000-000000000001",
  },
};

test("docs/plan.md shows the true output of its command", async () => {
  const azure = await testEmulator();
  const page = await readFile("docs/plan.md", "utf8");
  const [, command = "", output] = /```console\n\$ aro-hcp (.*)\n([^`]+)```/.exec(page) ?? [];
  expect(exits(await azure.cli(command.split(" ")), 0).stderr).toBe(output);
});

/** How often the subscription itself was read. */
async function subscriptionReads(azure: TestEmulator): Promise<number> {
  const isRead = ({ method, url }: { readonly method: string; readonly url: string }) =>
    method === "GET" && /^\/subscriptions\/[^/]+$/.test(new URL(url).pathname);
  return (await azure.traffic()).filter(isRead).length;
}

function lastDocument(stdout: string): Record<string, unknown> {
  return JSON.parse(stdout) as Record<string, unknown>;
}

test("above its plan, a create says where it runs and as whom, also off a terminal; the subscription is read once", async () => {
  const azure = await testEmulator();
  const { stderr, stdout } = exits(await create(azure, ["-o", "json"]), 0);
  expect(stderr.slice(0, stderr.indexOf("= use"))).toBe(`${header}location      eastus\ncluster       demo, infra ID demo-x7k2\n\n  `);
  expect(lastDocument(stdout)["target"]).toEqual({ ...target, location: "eastus", cluster: "demo", infraId: "demo-x7k2" });
  expect(await subscriptionReads(azure)).toBe(1);
});

test("a destroy says the same above its question, which names the subscription too", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  await azure.traffic();
  const running = await azure.startCli(["destroy", "infra", ...demo]);
  await running.shows("emulator:");
  const screen = stripVTControlCharacters(running.stderr());
  expect(screen).toContain(`subscription  Azure emulator (${target.subscriptionId})\n`);
  expect(screen).toContain("cluster       demo, infra ID demo-x7k2\n\n");
  expect(screen).toMatch(/\? Type demo-x7k2 to confirm the deletion in subscription Azure\n {2}emulator:/);
  running.type("demo-x7k3\r");
  const { stderr } = exits(await running.ended, 10);
  // The answer was not the right one.
  expect(stderr).not.toMatch(/[✓✔]/u);
  expect(await subscriptionReads(azure)).toBe(1);
});

test("without permission to read the subscription, the header has its ID", async () => {
  const azure = await testEmulator();
  const body = { error: { code: "AuthorizationFailed", message: "no" } };
  const faults = [{ method: "GET", path: "^/subscriptions/[^/]+$", times: 99, answer: { status: 403, body } }];
  const { stdout, stderr } = exits(await azure.cli(["destroy", "infra", ...demo, "--dry-run", "-o", "json"], { faults }), 0);
  expect(stderr).toContain("subscription  5b5c0000-0000-4000-8000-000000000001\n");
  expect(lastDocument(stdout)).toMatchObject({ target: { cloud: "local", subscriptionId: target.subscriptionId, infraId: "demo-x7k2" } });
});

test("create all lists what it creates in groups, and in full with --full-plan; a rerun lists nothing; destroy all lists names", async () => {
  const azure = await testEmulator();
  const short = exits(await all(azure, "create", ["--dry-run"]), 0).stderr;
  expect(planIn(short).map((line) => line.replaceAll(azure.path("demo"), "demo"))).toMatchInlineSnapshot(`
    [
      "  + create  signing key in demo: there is no private key",
      "  + create  resource groups (5): demo-oidc, demo-common, demo-demo-x7k2, demo-demo-x7k2-vnet, demo-demo-x7k2-nsg",
      "  + create  issuer (3): storage account demo1e0571, blob container demo, issuer https://demo1e0571.blob.core.windows.net/demo",
      "  + create  role assignments (24): Storage Blob Data Contributor, Key Vault Certificates Officer, Key Vault Secrets Officer, 5 Contributor, 3 Azure Red Hat OpenShift Cloud Controller Manager, 4 Azure Red Hat OpenShift File Storage Operator, 2 Azure Red Hat OpenShift Disk Storage Operator, 3 Azure Red Hat OpenShift Cluster Ingress Operator, 2 Azure Red Hat OpenShift Network Operator, 2 Azure Red Hat OpenShift Image Registry Operator",
      "  + create  Key Vault (17): Key Vault kv-demo-319613, 8 certificates, 8 credential secrets",
      "  + create  access to Key Vault kv-demo-319613: a role takes up to 10 minutes to reach the vault",
      "  + create  identities (30): 8 applications, 8 service principals, 8 keys, 3 managed identities, 3 federated identity credentials",
      "  = use     public DNS zone hcp.example.com",
      "  + create  network (4): public IP address demo-x7k2, load balancer demo-x7k2, network security group demo-demo-x7k2-nsg, virtual network demo-demo-x7k2",
      "  + create  DNS (2): private DNS zone demo-azurecluster.hcp.example.com, virtual network link demo-demo-x7k2",
      "  = use     resource group dns",
      "87 to create, 2 used",
    ]
  `);
  expect(short).toContain("identity set  demo\n");
  expect(short).not.toContain("known after");
  expect(short).toContain("\nbilled also while idle: public IP address, load balancer, private DNS zone\n");
  const full = exits(await all(azure, "create", ["--dry-run", "--full-plan"]), 0).stderr;
  expect(full).toMatch(/\+ create {2}role assignment .* known after/);
  expect(planIn(full).length).toBeGreaterThan(80);

  exits(await all(azure, "create", ["--yes"]), 0);
  expect(planIn(exits(await all(azure, "create", ["--yes"]), 0).stderr)).toMatchInlineSnapshot(`
    [
      "  = use     public DNS zone hcp.example.com",
      "  = use     resource group dns",
      "nothing to do: 87 kept, 2 used",
    ]
  `);
  const removed = planIn(exits(await all(azure, "destroy", ["--dry-run", "--purge"]), 0).stderr);
  expect(removed.map((line) => line.replace(/signing key \S{43} /, "signing key KID "))).toMatchInlineSnapshot(`
    [
      "  - remove  role assignments (24)",
      "  - remove  private DNS zone demo-azurecluster.hcp.example.com",
      "  - remove  virtual network demo-demo-x7k2",
      "  - remove  virtual network link demo-demo-x7k2",
      "  - remove  network security group demo-demo-x7k2-nsg",
      "  - remove  public IP address demo-x7k2",
      "  - remove  load balancer demo-x7k2",
      "  - remove  resource groups (5): demo-demo-x7k2-vnet, demo-demo-x7k2-nsg, demo-demo-x7k2, demo-oidc, demo-common",
      "  - remove  storage account demo1e0571: signing key KID will be deleted with it",
      "  - remove  applications (8): demo-cpo, demo-nodepool-mgmt, demo-cloud-provider, demo-file, demo-disk, demo-ingress, demo-network, demo-image-registry",
      "  - remove  soft-deleted applications (8): demo-cpo, demo-nodepool-mgmt, demo-cloud-provider, demo-file, demo-disk, demo-ingress, demo-network, demo-image-registry",
      "  - remove  managed identities (3): image-registry-MI-demo, azure-disk-MI-demo, azure-file-MI-demo",
      "  - remove  Key Vault kv-demo-319613",
      "  - remove  Key Vault kv-demo-319613, permanently",
      "57 to remove",
    ]
  `);
});

/** The lines of a plan, with its counts. */
function planIn(stderr: string): string[] {
  const lines = stderr.split("\n");
  const counts = lines.findIndex((line) => /^(nothing to do|\d+ to )/.test(line));
  return lines.slice(0, counts + 1).filter((line) => /^ {2}\S|^ {12}|^(nothing to do|\d+ to )/.test(line));
}

test("a change is always listed with its values", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  await updateResource(azure, ids.loadBalancer, ({ properties }) => ({ properties: { ...properties, outboundRules: [] } }));
  expect(exits(await create(azure, ["--dry-run"]), 0).stderr).toMatch(
    /\n {2}~ update {2}load balancer demo-x7k2: .*\n +outboundRules\[demo-x7k2\]: /,
  );
});

test("with --exit-code, a dry run and show exit with 7 if there are changes", async () => {
  const azure = await testEmulator();
  const changes = ["--dry-run", "--exit-code"];
  const show = ["show", "infra", ...demo, ...demoDomain];
  exits(await azure.cli(["destroy", "infra", ...demo, ...changes]), 0);
  exits(await create(azure, changes), 7);
  exits(await azure.cli([...show, "--exit-code"]), 7);
  exits(await azure.cli(show), 0);
  expect(await writesSince(azure)).toEqual([]);
  exits(await create(azure), 0);
  exits(await create(azure, changes), 0);
  exits(await azure.cli([...show, "--exit-code", "-o", "json"]), 0);
  exits(await azure.cli(["destroy", "infra", ...demo, ...changes]), 7);
  exits(await azure.cli(["create", "identities", ...setFlags, "--oidc-issuer-url", "https://issuer.example.com/demo"]), 0);
  const identities = Object.keys((await azure.snapshot()).resources).filter((id) => id.includes("/userassignedidentities/"));
  await deleteResources(azure, identities[0] ?? "");
  exits(await azure.cli(["show", "identities", ...setFlags]), 0);
  exits(await azure.cli(["show", "identities", ...setFlags, "--exit-code"]), 7);
  // A difference that a create keeps is one for show alone.
  await updateResource(azure, ids.publicIp, ({ properties }) => ({ properties: { ...properties, idleTimeoutInMinutes: 9 } }));
  exits(await create(azure, changes), 0);
  exits(await azure.cli([...show, "--exit-code"]), 7);
  await refuses(azure, create(azure, ["--exit-code"]), 2, /--exit-code +requires --dry-run/);
});

test("what comes back with a recovered vault is not planned as created", async () => {
  const azure = await testEmulator();
  const own = [...setFlags, "--yes"];
  const again = ["create", "identities", ...setFlags, "--oidc-issuer-url", "https://issuer.example.com/demo", "--enable-kms"];
  exits(await azure.cli(again), 0);
  exits(await azure.cli(["destroy", "identities", ...own]), 0);
  const lines = planIn(exits(await azure.cli([...again, "--dry-run"]), 0).stderr);
  expect(lines.filter((line) => line.includes("Key Vault kv-demo"))).toMatchInlineSnapshot(`
    [
      "  ~ update  Key Vault kv-demo-319613: it is soft-deleted, and is recovered with its contents",
      "  + create  access to Key Vault kv-demo-319613: a role takes up to 10 minutes to reach the vault",
      "  ~ wait    Key Vault (18): 9 certificates, 9 credential secrets: recovered with Key Vault kv-demo-319613, and checked during the run",
    ]
  `);
  expect(lines.at(-1)).toMatch(/, 18 to wait for$/);
  const { steps } = lastDocument(exits(await azure.cli([...again, "-o", "json"]), 0).stdout) as { steps: { act: string }[] };
  // A certificate and a secret for each component, and the access to the vault.
  expect(steps.filter(({ act }) => act === "keep")).toHaveLength(19);
});

test("everything that a plan counts as adopted has a name in it", async () => {
  const azure = await testEmulator();
  const lines = planIn(
    exits(await azure.cli(["create", "management-cluster", "--cloud", "local", "--name", "mgmt", "--dry-run"]), 0).stderr,
  );
  expect(lines[0]).toBe("  = use     lookups (3): Kubernetes version in eastus, VM sizes in eastus, node resource group mgmt-nodes");
  expect(lines.at(-1)).toMatch(/, 3 used$/);
  // What costs money has its size.
  expect(lines.find((line) => line.includes("AKS cluster (2)"))).toMatch(
    /: AKS cluster mgmt \(system: 1 to 3 nodes, Standard_\w+\), agent pool user \(1 to 3 nodes, Standard_\w+\)$/,
  );
});

/** `create arc` without access to the cluster: the connected cluster, the key and the files for the agents; then wait, show and destroy. */
import { spawnSync } from "node:child_process";
import { createPublicKey, generateKeyPairSync, randomUUID } from "node:crypto";
import { chmod, copyFile, mkdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import forge from "node-forge";
import { parse } from "yaml";
import { describe, expect, test } from "vitest";
import { changeResource, resource } from "../../harness/state-changes.js";
import { temporaryDirectory } from "../../harness/temporary-directory.js";
import { testEmulator, type TestEmulator } from "../../harness/test-emulator.js";
import { subscription } from "../../cli/demo-cluster.js";
import { exits, writesSince } from "../../cli/expectations.js";

const demo = ["--cloud", "local", "--name", "demo"];
const faster = { env: { ARO_HCP_LOCAL_TIME_SCALE: "1000" } };
const id = `${subscription}/resourceGroups/demo-arc/providers/Microsoft.Kubernetes/connectedClusters/demo`;

function create(azure: TestEmulator, directory: string, ...flags: readonly string[]) {
  return azure.cli(["create", "arc", ...demo, "--output-dir", directory, "--yes", ...flags], faster);
}

function run(azure: TestEmulator, command: string, ...flags: readonly string[]) {
  return azure.cli([command, "arc", ...demo, ...flags], faster);
}

test("a create makes the connected cluster and the files for its agents, and a second one writes nothing", async () => {
  const azure = await testEmulator();
  const { path } = temporaryDirectory();
  const { stdout } = exits(await create(azure, path, "--tags", "team=red"), 0);
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => line.split(" ").slice(0, 2).join(" ")),
  ).toEqual(["oc apply", "oc apply", "helm upgrade"]);
  const live = await resource(azure, id);
  expect(live?.tags).toEqual({ "aro-hcp-arc": "demo", team: "red" });
  expect(live?.properties).toMatchObject({ distribution: "openshift", infrastructure: "azure" });

  const values = parse(await readFile(join(path, "arc-values.yaml"), "utf8")) as Values;
  expect(values.global).toMatchObject({ resourceGroupName: "demo-arc", resourceName: "demo", kubernetesDistro: "openshift" });
  expect(values.systemDefaultValues).toMatchObject({ spnOnboarding: false, "clusterconnect-agent": { enabled: true } });
  for (const file of ["arc-values.yaml", "arc-onboarding-key.pem"]) expect((await stat(join(path, file))).mode & 0o777).toBe(0o600);

  await azure.traffic();
  exits(await create(azure, path, "--tags", "team=red"), 0);
  expect(await writesSince(azure)).toEqual([]);
});

test("the values of an earlier version are named with the key in them, and written again once they are deleted", async () => {
  const azure = await testEmulator();
  const { path } = temporaryDirectory();
  exits(await create(azure, path), 0);
  const file = join(path, "arc-values.yaml");
  const current = await readFile(file, "utf8");
  await writeFile(file, current.slice(current.indexOf("\n") + 1));
  await azure.traffic();
  const { stderr } = exits(await create(azure, path), 2);
  expect(stderr.replace(/\s+/g, " ")).toMatch(
    /arc-values\.yaml: it is the Helm values of connected cluster "demo", with its onboarding key and without the line .*move the file away/,
  );
  expect(stderr).not.toContain("PRIVATE KEY");
  expect(await writesSince(azure)).toEqual([]);
  await rm(file);
  exits(await create(azure, path), 0);
  expect(await readFile(file, "utf8")).toBe(current);
});

test("a key file that is no onboarding key is refused, with what to do about it in create arc", async () => {
  const azure = await testEmulator();
  const { path } = temporaryDirectory();
  await writeFile(join(path, "arc-onboarding-key.pem"), "no key");
  const { stderr } = exits(await create(azure, path), 2);
  expect(stderr).toContain("[ARO-KEY-001]");
  expect(stderr).toContain("otherwise delete the file, and rerun create arc");
  expect(stderr).not.toContain("create key-pair");
});

interface Values {
  readonly global: Readonly<Record<string, unknown>>;
  readonly systemDefaultValues: Readonly<Record<string, unknown>>;
}

test("node-forge reads both halves of the key in Azure's formats: PKCS#1 PEM, and base64 of PKCS#1 DER", async () => {
  const azure = await testEmulator();
  const { path } = temporaryDirectory();
  exits(await create(azure, path), 0);
  const pem = await readFile(join(path, "arc-onboarding-key.pem"), "utf8");
  expect(pem).toMatch(/^-----BEGIN RSA PRIVATE KEY-----/);
  const privateKey = forge.pki.privateKeyFromPem(pem);
  expect(privateKey.n.bitLength()).toBe(4096);
  const sent = String((await resource(azure, id))?.properties["agentPublicKeyCertificate"]);
  const [n, e] = forge.asn1.fromDer(forge.util.decode64(sent)).value as forge.asn1.Asn1[];
  expect(forge.util.bytesToHex(n?.value as string).replace(/^00/, "")).toBe(privateKey.n.toString(16));
  expect(forge.util.bytesToHex(e?.value as string)).toBe("010001");
  expect(parse(await readFile(join(path, "arc-values.yaml"), "utf8"))).toMatchObject({ global: { onboardingPrivateKey: pem } });
});

const hasHelm = spawnSync("helm", ["version", "--short"]).error === undefined;
const valuesOfChart = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: values\ndata:\n  values: {{ toJson .Values | quote }}\n";

test.skipIf(!hasHelm)("helm reads the same values as a YAML parser", async () => {
  const azure = await testEmulator();
  const { path } = temporaryDirectory();
  exits(await create(azure, path, "--https-proxy", "http://proxy.example.com:3128", "--proxy-skip-range", "10.0.0.0/8,.svc"), 0);
  const chart = join(path, "chart");
  await mkdir(join(chart, "templates"), { recursive: true });
  await writeFile(join(chart, "Chart.yaml"), "apiVersion: v2\nname: agents\nversion: 1.0.0\n");
  await writeFile(join(chart, "templates", "values.yaml"), valuesOfChart);
  const { stdout } = spawnSync("helm", ["template", "agents", chart, "--values", join(path, "arc-values.yaml")], { encoding: "utf8" });
  const { data } = parse(stdout) as { readonly data: { readonly values: string } };
  expect(JSON.parse(data.values)).toEqual(parse(await readFile(join(path, "arc-values.yaml"), "utf8")));
});

describe("the onboarding key", () => {
  test("a lost key is refused with the way to onboard again, and nothing is written", async () => {
    const azure = await testEmulator();
    const { path } = temporaryDirectory();
    exits(await create(azure, path), 0);
    await rm(join(path, "arc-onboarding-key.pem"));
    await azure.traffic();
    const { stderr } = exits(await create(azure, path), 5);
    expect(stderr).toContain("ARO-ARC-001");
    expect(stderr).toContain("`aro-hcp destroy arc --cloud local --name demo`");
    expect(await writesSince(azure)).toEqual([]);
    await expect(stat(join(path, "arc-onboarding-key.pem"))).rejects.toThrow("ENOENT");
  });

  test("a key of another cluster is refused, and one that others can read is made private", async () => {
    const azure = await testEmulator();
    const { path } = temporaryDirectory();
    exits(await create(azure, path), 0);
    const file = join(path, "arc-onboarding-key.pem");
    const own = await readFile(file, "utf8");
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 4096 });
    const other = privateKey.export({ type: "pkcs1", format: "pem" }).toString();
    await writeFile(file, other);
    // The keys of the tests are reused in turn.
    if (publicOf(other) !== publicOf(own)) expect(exits(await create(azure, path), 5).stderr).toContain("ARO-ARC-001");
    await writeFile(file, own);
    await chmod(file, 0o644);
    exits(await create(azure, path), 0);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test("a draft that a killed run left is removed, other files beside it stay", async () => {
    const azure = await testEmulator();
    const { path } = temporaryDirectory();
    exits(await create(azure, path), 0);
    const file = join(path, "arc-onboarding-key.pem");
    const draft = `${file}.${randomUUID()}`;
    for (const copy of [draft, `${file}.bak`]) {
      await copyFile(file, copy);
      await utimes(copy, 0, 0);
    }
    exits(await create(azure, path), 0);
    await expect(stat(draft)).rejects.toThrow("ENOENT");
    expect(await readFile(`${file}.bak`, "utf8")).toBe(await readFile(file, "utf8"));
  });
});

function publicOf(pem: string): string {
  return createPublicKey(pem).export({ type: "pkcs1", format: "pem" }).toString();
}

test("options of the agents become Helm values and members of the connected cluster", async () => {
  const azure = await testEmulator();
  const { path } = temporaryDirectory();
  const proxy = ["--https-proxy", "http://proxy.example.com:3128", "--proxy-skip-range", "10.0.0.0/8,.svc"];
  exits(await create(azure, path, ...proxy, "--agent-auto-upgrade", "off", "--agent-version", "1.15.3"), 0);
  expect((await resource(azure, id))?.properties["arcAgentProfile"]).toEqual({
    agentAutoUpgrade: "Disabled",
    desiredAgentVersion: "1.15.3",
  });
  const values = parse(await readFile(join(path, "arc-values.yaml"), "utf8")) as Values;
  expect(values.global).toMatchObject({ isProxyEnabled: true, httpsProxy: "http://proxy.example.com:3128", noProxy: "10.0.0.0/8,.svc" });
  expect(values.systemDefaultValues).toMatchObject({ azureArcAgents: { autoUpdate: false } });
  expect(await readFile(join(path, "arc-commands.sh"), "utf8")).toContain("--version 1.15.3");
});

test("private link, gateway, workload identity and custom locations: members of the connected cluster, and values of the agents", async () => {
  const azure = await testEmulator();
  const { path } = temporaryDirectory();
  const hybrid = `${subscription}/resourceGroups/links/providers/Microsoft.HybridCompute`;
  const [scope, gateway] = [`${hybrid}/privateLinkScopes/scope`, `${hybrid}/gateways/gateway`];
  const issuer = "https://issuer.example.com/demo";
  const oid = "6d1b0000-0000-4000-8000-000000000001";
  const flags = [
    ...["--private-link-scope-id", scope, "--gateway-id", gateway, "--workload-identity", "--oidc-issuer-url", issuer],
    ...["--custom-locations-id", oid],
  ];
  exits(await create(azure, path, ...flags), 0);
  expect((await resource(azure, id))?.properties).toMatchObject({
    privateLinkState: "Enabled",
    privateLinkScopeResourceId: scope,
    gateway: { enabled: true, resourceId: gateway },
    oidcIssuerProfile: { enabled: true, selfHostedIssuerUrl: issuer },
    securityProfile: { workloadIdentity: { enabled: true } },
  });
  expect(parse(await readFile(join(path, "arc-values.yaml"), "utf8"))).toMatchObject({
    global: { gateway: { enabled: true, resourceId: gateway } },
    systemDefaultValues: { customLocations: { enabled: true, oid }, workloadIdentity: { enabled: true } },
  });
  expect(await writesSince(azure)).toContainEqual(expect.stringMatching(/\/providers\/Microsoft\.ExtendedLocation\/register$/));
  exits(await create(azure, path, ...flags), 0);
  expect(await writesSince(azure)).toEqual([]);
});

test("the resource providers are registered and waited for before the connected cluster is written", async () => {
  const azure = await testEmulator();
  const { path } = temporaryDirectory();
  const namespace = "Microsoft.KubernetesConfiguration";
  const body = { id: `${subscription}/providers/${namespace}`, namespace, registrationState: "Registering", resourceTypes: [] };
  // The plan reads it first. Then Azure takes its time.
  const registering = { method: "GET", path: `/providers/${namespace}$`, nth: 2, times: 3, answer: { status: 200, body } };
  const options = { ...faster, faults: [registering] };
  const { stderr } = exits(await azure.cli(["create", "arc", ...demo, "--output-dir", path, "--yes"], options), 0);
  expect(stderr).toContain("waiting until Microsoft.KubernetesConfiguration is registered");
  const writes = await writesSince(azure);
  const registered = writes.flatMap((write, index) => (write.endsWith("/register") ? [index] : []));
  expect(registered).toHaveLength(2);
  expect(writes.findIndex((write) => write.startsWith(`PUT ${id}`))).toBeGreaterThan(Math.max(...registered));
});

test("a region without Azure Arc is refused before any write", async () => {
  const azure = await testEmulator();
  const { path } = temporaryDirectory();
  await azure.traffic();
  const { stderr } = exits(await create(azure, path, "--location", "jioindiacentral"), 5);
  expect(stderr).toContain('the subscription has no location "jioindiacentral"');
  expect(stderr).toContain("Azure Arc is not available in jioindiacentral");
  expect((await azure.traffic()).filter(({ url }) => url.includes("arc-k8sagents"))).toEqual([]);
  expect(await writesSince(azure)).toEqual([]);
});

test("a drifted member and a removed tag are restored", async () => {
  const azure = await testEmulator();
  const { path } = temporaryDirectory();
  exits(await create(azure, path, "--tags", "team=red"), 0);
  await changeResource(azure, id, (stored) => {
    stored.properties["arcAgentProfile"] = { agentAutoUpgrade: "Disabled" };
    delete stored.tags?.["team"];
  });
  exits(await create(azure, path, "--tags", "team=red"), 0);
  const live = await resource(azure, id);
  expect(live?.properties["arcAgentProfile"]).toEqual({ agentAutoUpgrade: "Enabled" });
  expect(live?.tags?.["team"]).toBe("red");
});

test("distribution and infrastructure stay as they are in Azure, until a flag changes them", async () => {
  const azure = await testEmulator();
  const { path } = temporaryDirectory();
  exits(await create(azure, path, "--infrastructure", "vsphere"), 0);
  const kind = async () => {
    const { distribution, infrastructure } = (await resource(azure, id))?.properties ?? {};
    const { global } = parse(await readFile(join(path, "arc-values.yaml"), "utf8")) as Values;
    return [distribution, infrastructure, global["kubernetesDistro"], global["kubernetesInfra"]];
  };
  expect(await kind()).toEqual(["openshift", "vsphere", "openshift", "vsphere"]);
  // As Azure spelled it for az.
  await changeResource(azure, id, (stored) => (stored.properties["distribution"] = "OpenShift"));
  await azure.traffic();
  exits(await create(azure, path, "--distribution", "openshift"), 0);
  expect(await writesSince(azure)).toEqual([]);

  const changed = ["--infrastructure", "azure_stack_hci"];
  const { stderr } = exits(await create(azure, path, ...changed, "--dry-run"), 0);
  expect(stderr).toMatch(/infrastructure: "vsphere" → "azure_stack_hci"/);
  exits(await create(azure, path, ...changed), 0);
  expect(await kind()).toEqual(["OpenShift", "azure_stack_hci", "openshift", "azure_stack_hci"]);
  expect(exits(await create(azure, path, "--distribution", "openshfit"), 2).stderr).toContain("openshift");
});

test("a destroy deletes the connected cluster and its group, and a second one finds nothing", async () => {
  const azure = await testEmulator();
  const { path } = temporaryDirectory();
  exits(await create(azure, path), 0);
  exits(await run(azure, "destroy", "--yes"), 0);
  expect(await resource(azure, id)).toBeUndefined();
  const { resources } = await azure.snapshot();
  expect(Object.keys(resources as object).filter((one) => one.includes("demo-arc"))).toEqual([]);
  const again = exits(await run(azure, "destroy", "--yes"), 0);
  expect(again.stderr).toContain('belongs to the connected cluster "demo"');
});

test("show prints the members of az connectedk8s show", async () => {
  const azure = await testEmulator();
  const { path } = temporaryDirectory();
  exits(await create(azure, path), 0);
  const shown = JSON.parse(exits(await run(azure, "show", "--output", "json"), 0).stdout) as Record<string, unknown>;
  expect(shown).toMatchObject({
    id,
    name: "demo",
    resourceGroup: "demo-arc",
    connectivityStatus: "Connecting",
    agentVersion: null,
    extensions: [],
  });
  expect(shown).toMatchObject({ identity: { type: "SystemAssigned" }, provisioningState: "Succeeded" });
  expect(exits(await run(azure, "show"), 0).stdout).toContain("Connecting");
});

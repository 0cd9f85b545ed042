/** `render hypershift-install`: a POSIX shell runs its output, with programs that record their arguments in place of kubectl and hypershift. */
import { execFileSync } from "node:child_process";
import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { aksClusterOutput, type KnownAksCluster } from "../../src/files/aks-cluster-output.js";
import { addOn, createdCluster, subscriptionId } from "../aks/files/aks-clusters.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { exits } from "../cli/expectations.js";
import { fileOf } from "../identities/cli/identities.js";

let azure: TestEmulator;
beforeEach(async () => {
  azure = await testEmulator();
});

const secret = "s3cret-of-the-zone";
const azureJson = {
  tenantId: createdCluster.tenantId,
  subscriptionId,
  resourceGroup: "dns",
  aadClientId: "66666666-6666-4666-8666-666666666666",
  aadClientSecret: secret,
};
const credentials = {
  tenantId: azureJson.tenantId,
  subscriptionId,
  clientId: azureJson.aadClientId,
  clientSecret: secret,
};
const pullSecret = { auths: { "quay.io": { auth: Buffer.from("user:token").toString("base64") } } };

const clusterFile = (changes: Partial<KnownAksCluster> = {}) =>
  fileOf(azure, "mgmt.json", aksClusterOutput({ ...createdCluster, ...changes }));
const render = (...flags: readonly string[]) => azure.cli(["render", "hypershift-install", ...flags]);

/** Runs a script with sh, and returns the arguments of each program that it starts. */
async function shellRuns(
  run: { readonly script: string } | { readonly file: string; readonly args?: readonly string[] },
  cwd = azure.path("."),
) {
  const [programs, log] = [azure.path("programs"), azure.path("log")];
  await mkdir(programs, { recursive: true });
  await writeFile(log, "");
  for (const name of ["kubectl", "hypershift"]) {
    const body = `#!/bin/sh\n{ printf '%s\\0' ${name} "$KUBECONFIG" "$PWD" "$@"; printf '\\1'; } >> ${JSON.stringify(log)}\n`;
    await writeFile(path.join(programs, name), body);
    await chmod(path.join(programs, name), 0o755);
  }
  const env = { PATH: `${programs}:/usr/bin:/bin`, KUBECONFIG: "none", CDPATH: "/" };
  execFileSync("sh", "script" in run ? ["-c", run.script] : [run.file, ...(run.args ?? [])], { cwd, env });
  const commands = (await readFile(log, "utf8")).split("\u0001").filter((command) => command !== "");
  return commands.map((command) => {
    const [program, kubeconfig, directory, ...args] = command.split("\0").slice(0, -1);
    return { program, kubeconfig, directory, args };
  });
}

const fixed = ["--enable-conversion-webhook=false", "--managed-service=ARO-HCP", "--limit-crd-install=Azure", "--tech-preview-no-upgrade"];
const reader = `--aro-hcp-key-vault-users-client-id=${addOn.clientId}`;

test("the printed commands apply the missing types and install the operator with the add-on's client ID", async () => {
  const file = await clusterFile();
  const { stdout, stderr } = exits(await render("--management-cluster-file", file), 0);
  expect(stderr).toBe("");
  const [types, install, ...others] = await shellRuns({ script: stdout });
  expect(others).toEqual([]);
  expect(types).toMatchObject({ program: "kubectl", kubeconfig: "none", args: ["apply", "--server-side", ...types!.args.slice(2)] });
  expect(types?.args.slice(2).map((flag) => /^--filename=https:\/\/.*[/_](\w+)(?:\.crd)?\.yaml$/.exec(flag)?.[1])).toEqual([
    "servicemonitors",
    "prometheusrules",
    "podmonitors",
    "routes",
  ]);
  expect(install).toMatchObject({ program: "hypershift", args: ["install", fixed[0], fixed[1], reader, fixed[2], fixed[3]] });
});

test("line breaks, quotes and command substitutions in paths stay what they are", async () => {
  await clusterFile();
  const odd = "it's a\n$(touch injected) `touch injected` \"; touch injected #";
  const pulled = await fileOf(azure, `${odd}.json`, pullSecret);
  const kubeconfig = azure.path(`${odd}.kubeconfig`);
  await writeFile(kubeconfig, JSON.stringify({ kind: "Config", clusters: [] }));
  const flags = ["--management-cluster-file", azure.path("mgmt.json"), "--pull-secret", pulled, "--kubeconfig", kubeconfig];
  const { stdout } = exits(await render(...flags), 0);
  const [types, install] = await shellRuns({ script: stdout });
  expect([types?.kubeconfig, install?.kubeconfig]).toEqual([kubeconfig, kubeconfig]);
  expect(install?.args).toContain(`--pull-secret=${pulled}`);

  const directory = azure.path(`dir\n${odd}\n-`);
  exits(await render(...flags, "--output-dir", directory), 0);
  const runs = await shellRuns({ file: path.join(directory, "hypershift-install.sh"), args: ["--metrics-set=SRE", "a b"] });
  expect(runs[1]).toMatchObject({ kubeconfig, directory, args: expect.arrayContaining(["--pull-secret=pull-secret.json"]) as string[] });
  expect(runs[1]?.args.slice(-2)).toEqual(["--metrics-set=SRE", "a b"]);
  expect((await shellRuns({ file: "hypershift-install.sh" }, directory))[1]?.directory).toBe(directory);
  await expect(stat(azure.path("injected"))).rejects.toThrow("ENOENT");
  await expect(stat(path.join(directory, "injected"))).rejects.toThrow("ENOENT");
});

test("a line break in the cluster's ID does not end the comment of the script", async () => {
  const clusterId = `${createdCluster.clusterId ?? ""}\ntouch injected #`;
  const directory = azure.path("install");
  exits(await render("--management-cluster-file", await clusterFile({ clusterId }), "--output-dir", directory), 0);
  await shellRuns({ file: path.join(directory, "hypershift-install.sh") });
  await expect(stat(path.join(directory, "injected"))).rejects.toThrow("ENOENT");
});

test.each([
  ["credentials of a service principal", credentials, ["--dns-zone-rg-name", "dns"]],
  ["external-dns's own file", azureJson, []],
])("--output-dir writes private files: %s and the pull secret", async (_what, content, flags) => {
  const given = await fileOf(azure, "dns.json", content);
  const pulled = await fileOf(azure, "pulled.json", pullSecret);
  const directory = azure.path("install");
  const dns = ["--external-dns-credentials", given, "--external-dns-domain-filter", "hcp.example.com", ...flags];
  const all = ["--management-cluster-file", await clusterFile(), ...dns, "--pull-secret", pulled, "--output-dir", directory];
  const { stdout, stderr } = exits(await render(...all), 0);
  expect(stdout).toBe("");
  expect(stderr).toBe(`written to ${path.join(directory, "hypershift-install.sh")}; run it with sh\n`);
  for (const name of ["external-dns.json", "pull-secret.json"]) expect((await stat(path.join(directory, name))).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(path.join(directory, "external-dns.json"), "utf8"))).toEqual(azureJson);
  expect(JSON.parse(await readFile(path.join(directory, "pull-secret.json"), "utf8"))).toEqual(pullSecret);
  const script = await readFile(path.join(directory, "hypershift-install.sh"), "utf8");
  expect(script).not.toContain(secret);
  expect((await shellRuns({ file: path.join(directory, "hypershift-install.sh") }))[1]?.args).toEqual([
    "install",
    "--enable-conversion-webhook=false",
    "--external-dns-provider=azure",
    "--external-dns-credentials=external-dns.json",
    "--external-dns-domain-filter=hcp.example.com",
    "--pull-secret=pull-secret.json",
    "--managed-service=ARO-HCP",
    reader,
    "--limit-crd-install=Azure",
    "--tech-preview-no-upgrade",
  ]);
  // A second run replaces its own files.
  exits(await render(...all, "--hypershift-image", "quay.io/a/b:c"), 0);
  expect((await shellRuns({ file: path.join(directory, "hypershift-install.sh") }))[1]?.args).toContain("--hypershift-image=quay.io/a/b:c");
});

test("external-dns gets the name of a cloud that is not its default", async () => {
  const directory = azure.path("install");
  const dns = ["--external-dns-credentials", await fileOf(azure, "dns.json", azureJson), "--external-dns-domain-filter", "a.example.com"];
  const file = ["--management-cluster-file", await clusterFile({ cloud: "AzureUSGovernmentCloud" })];
  expect(exits(await render(...file, ...dns), 2).stderr).toMatch(/dns\.json is not a file that external-dns can read/);
  exits(await render(...file, ...dns, "--output-dir", directory), 0);
  const written = JSON.parse(await readFile(path.join(directory, "external-dns.json"), "utf8")) as object;
  expect(written).toEqual({ ...azureJson, cloud: "AzureUSGovernmentCloud" });
});

test.each<[string, Partial<KnownAksCluster>, readonly string[], string | undefined]>([
  ["no tags", {}, [], undefined],
  ["one tag", {}, ["--ingress-ip-tags", "FirstPartyUsage:/NonProd"], "SHARED_INGRESS_AZURE_PIP_IP_TAGS=FirstPartyUsage=/NonProd"],
  [
    "two tags, which the flag's own CSV would split",
    {},
    ["--ingress-ip-tags", "FirstPartyUsage:/NonProd,RoutingPreference:Internet"],
    '"SHARED_INGRESS_AZURE_PIP_IP_TAGS=FirstPartyUsage=/NonProd,RoutingPreference=Internet"',
  ],
  [
    "the tags that the file records",
    { options: { ingressIpTags: "RoutingPreference:Internet" } },
    [],
    "SHARED_INGRESS_AZURE_PIP_IP_TAGS=RoutingPreference=Internet",
  ],
])("the shared ingress gets %s", async (_what, changes, flags, expected) => {
  const { stdout } = exits(await render("--management-cluster-file", await clusterFile(changes), ...flags), 0);
  const args = (await shellRuns({ script: stdout }))[1]?.args ?? [];
  const set = args.filter((arg) => arg.startsWith("--additional-operator-env-vars="));
  expect(set).toEqual(expected === undefined ? [] : [`--additional-operator-env-vars=${expected}`]);
});

test("private hosted clusters use the node resource group, and an identity in the cluster's subscription", async () => {
  const clientId = "77777777-7777-4777-8777-777777777777";
  const file = ["--management-cluster-file", await clusterFile(), "--private-platform", "Azure"];
  const argsOf = async (...flags: readonly string[]) =>
    (await shellRuns({ script: exits(await render(...file, ...flags), 0).stdout }))[1]?.args;
  expect(await argsOf()).toEqual(expect.arrayContaining(["--private-platform=Azure", "--azure-pls-resource-group=mgmt-nodes"]));
  expect(await argsOf("--azure-pls-resource-group", "pls", "--azure-pls-managed-identity-client-id", clientId)).toEqual(
    expect.arrayContaining([
      "--azure-pls-resource-group=pls",
      `--azure-pls-managed-identity-client-id=${clientId}`,
      `--azure-pls-subscription-id=${subscriptionId}`,
    ]),
  );
});

const dnsFlags = ["--external-dns-credentials", "dns.json", "--external-dns-domain-filter", "a.example.com"];
const mgmt = ["--management-cluster-file", "mgmt.json"];

test.each<[string, readonly string[], RegExp]>([
  ["no client ID", [], /--key-vault-user-client-id +is required without --management-cluster-file/],
  ["an object ID", [...mgmt, "--key-vault-user-client-id", addOn.objectId], /is the add-on's object ID; its client ID is "3333/],
  ["credentials without a zone", [...mgmt, "--external-dns-credentials", "dns.json"], /requires --external-dns-domain-filter/],
  ["a zone without credentials", [...mgmt, "--external-dns-domain-filter", "a.example.com"], /requires --external-dns-credentials/],
  ["a zone that is none", [...mgmt, ...dnsFlags.slice(0, 2), "--external-dns-domain-filter", "a b"], /"a b" is not a DNS zone/],
  ["a zone without its group", [...mgmt, ...dnsFlags], /resource group of the DNS zone is unknown[^]*pass --dns-zone-rg-name/],
  [
    "another group",
    [...mgmt, "--external-dns-credentials", "own.json", ...dnsFlags.slice(2), "--dns-zone-rg-name", "b"],
    /is "b", but the file has "dns"/,
  ],
  [
    "credentials on standard output",
    [...mgmt, ...dnsFlags, "--dns-zone-rg-name", "dns"],
    /not a file that external-dns can read[^]*pass --output-dir/,
  ],
  [
    "credentials without a secret",
    [...mgmt, "--external-dns-credentials", "none.json", ...dnsFlags.slice(2)],
    /has no clientId and clientSecret/,
  ],
  ["a pull secret that is none", [...mgmt, "--pull-secret", "dns.json"], /is not valid as a pull secret/],
  ["an image with a space", [...mgmt, "--hypershift-image", "a b"], /"a b" is not an image reference/],
  [
    "tags with equals signs",
    [...mgmt, "--ingress-ip-tags", "FirstPartyUsage=/NonProd"],
    /--ingress-ip-tags +"FirstPartyUsage=\/NonProd" has an equals/,
  ],
  ["tags that Kubernetes drops", [...mgmt, "--ingress-ip-tags", "Other:/x"], /cannot be in a Service/],
  ["a group without private clusters", [...mgmt, "--azure-pls-resource-group", "pls"], /requires --private-platform Azure/],
  [
    "private clusters without a group",
    ["--key-vault-user-client-id", addOn.clientId, "--private-platform", "Azure"],
    /--azure-pls-resource-group +is required without --management-cluster-file/,
  ],
  ["the kubeconfig of another cluster", [...mgmt, "--kubeconfig", "other.yaml"], /other\.yaml +is the kubeconfig of \/other/],
  [
    "a name that a terminal does not show",
    [...mgmt, "--pull-secret", "a\u001bb.json"],
    /contains characters that a terminal does not show/,
  ],
])("%s is refused", async (_what, flags, words) => {
  await clusterFile();
  await fileOf(azure, "dns.json", credentials);
  await fileOf(azure, "own.json", azureJson);
  await fileOf(azure, "none.json", { tenantId: azureJson.tenantId, subscriptionId });
  await fileOf(azure, "a\u001bb.json", pullSecret);
  const extensions = [{ name: "aro-hcp", extension: { clusterID: "/other" } }];
  const clusters = [{ name: "a", cluster: { server: "https://a.example.com", extensions } }];
  await fileOf(azure, "other.yaml", { kind: "Config", clusters, contexts: [], users: [] });
  const paths = flags.map((flag) => (/\.(?:json|yaml)$/.test(flag) ? azure.path(flag) : flag));
  const { stdout, stderr } = exits(await render(...paths), 2);
  expect(stderr).toMatch(words);
  expect(stdout + stderr).not.toContain(secret);
});

test("a directory with files of another cluster or another program is not overwritten", async () => {
  const directory = azure.path("install");
  const flags = (file: string) => ["--management-cluster-file", file, "--output-dir", directory];
  await mkdir(directory);
  await writeFile(path.join(directory, "hypershift-install.sh"), "#!/bin/sh\n");
  expect(exits(await render(...flags(await clusterFile())), 2).stderr).toMatch(
    /hypershift-install\.sh: it is a file that this command did not write/,
  );
  const other = azure.path("other");
  exits(await render("--management-cluster-file", await clusterFile(), "--output-dir", other), 0);
  const changed = await clusterFile({ clusterId: `${createdCluster.clusterId ?? ""}-2` });
  expect(exits(await render("--management-cluster-file", changed, "--output-dir", other), 2).stderr).toMatch(
    /hypershift-install\.sh: it is a file that this command did not write/,
  );
});

/** `create`, `verify` and `destroy arc` with the admin kubeconfig of a cluster that somebody else wrote: it runs nothing and reads nothing. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { hostile, ranIn, withExec } from "../../harness/hostile-kubeconfigs.js";
import { testHelm } from "../../harness/helm.js";
import { kubernetesServer, type Kubeconfig } from "../../harness/kubernetes.js";
import { temporaryDirectory } from "../../harness/temporary-directory.js";
import { testEmulator } from "../../harness/test-emulator.js";
import { connectedCluster } from "./connected-clusters.js";
import { subscription } from "../../cli/demo-cluster.js";
import { exits, writesSince } from "../../cli/expectations.js";

const demo = ["--cloud", "local", "--name", "demo"];
const classic = `${subscription}/resourceGroups/classic/providers/Microsoft.RedHatOpenShift/openShiftClusters/classic`;
const secretName = "secret demo-admin-kubeconfig in clusters";

/** The variables of a pipeline. */
const credentials = {
  ...{ AZURE_CLIENT_SECRET: "very-secret", AZURE_FEDERATED_TOKEN_FILE: "/nonexistent", ARM_CLIENT_SECRET: "very-secret" },
  ...{ AAD_SERVICE_PRINCIPAL_CLIENT_SECRET: "very-secret", HELM_KUBECONTEXT: "other" },
};

async function cluster() {
  const [azure, kubernetes] = [await testEmulator(), await kubernetesServer()];
  const directory = temporaryDirectory();
  directory.write("key.pem", "very-secret");
  const helm = await testHelm(directory.path);
  const written = async (change: (config: Kubeconfig) => void) => readFile(await kubernetes.writeKubeconfig(change));
  const run = (command: string, flags: readonly string[], kubeconfig?: Buffer) =>
    azure.cli([command, "arc", ...demo, ...(command === "create" ? ["--output-dir", azure.path("arc")] : []), ...flags], {
      env: { PATH: helm.path, ...credentials },
      ...(kubeconfig && { faults: [credentialsOf(kubeconfig)] }),
    });
  return {
    ...{ azure, kubernetes, helm, directory: directory.path, written },
    /** With that kubeconfig in the secret of the HostedCluster. */
    async hosted(command: string, kubeconfig: Buffer, ...flags: readonly string[]) {
      const data = { kubeconfig: kubeconfig.toString("base64") };
      const metadata = { name: "demo-admin-kubeconfig", namespace: "clusters" };
      kubernetes.put({ apiVersion: "v1", kind: "Secret", metadata, data });
      return run(command, ["--management-kubeconfig", kubernetes.kubeconfig, "--hosted-cluster", "clusters/demo", ...flags]);
    },
    /** With that kubeconfig in Azure's answer. */
    classic: (command: string, kubeconfig: Buffer, ...flags: readonly string[]) =>
      run(command, ["--openshift-cluster-id", classic, ...flags], kubeconfig),
    ran: () => existsSync(ranIn(directory.path)),
  };
}

function credentialsOf(kubeconfig: Buffer) {
  return { path: "/listAdminCredentials$", answer: { status: 200, body: { kubeconfig: kubeconfig.toString("base64") } } };
}

test.each(["hosted", "classic"] as const)("each hostile member is refused by its name, %s, and the plan already", async (from) => {
  const { kubernetes, directory, written, ran, ...clusters } = await cluster();
  for (const { member, change } of hostile) {
    const kubeconfig = await written((config) => change(config, directory));
    const { stderr } = exits(await clusters[from]("create", kubeconfig, "--dry-run"), 5);
    const text = stderr.replace(/\s+/g, " ");
    expect(text).toContain(member);
    expect(text).toContain(`the kubeconfig of ${from === "hosted" ? secretName : `classic ARO cluster ${classic}`} is refused`);
    expect(text).toContain("ARO-KUBE-004");
    expect(text).not.toContain("very-secret");
  }
  expect(ran()).toBe(false);
  expect(kubernetes.requests.filter((request) => !request.includes("/secrets/"))).toEqual([]);
});

test.each([
  ["create", "--yes"],
  ["verify", "--only=agents-release"],
  ["destroy", "--dry-run"],
  ["destroy", "--yes"],
] as const)("%s arc %s runs no program of a secret or of Azure, and writes nothing", async (command, ...flags) => {
  const { azure, directory, written, hosted, classic, ran } = await cluster();
  await connectedCluster(azure);
  await azure.traffic();
  const kubeconfig = await written((config) => withExec("/bin/sh").change(config, directory));
  for (const run of [hosted, classic]) expect(exits(await run(command, kubeconfig, ...flags), 5).stderr).toContain("ARO-KUBE-004");
  expect(await writesSince(azure)).toEqual([]);
  expect(ran()).toBe(false);
});

test("kubelogin may be named by AKS only", async () => {
  const { directory, written, hosted, classic } = await cluster();
  const kubeconfig = await written((config) => withExec("kubelogin").change(config, directory));
  for (const run of [hosted, classic])
    expect(exits(await run("create", kubeconfig, "--dry-run"), 5).stderr).toContain("users[0].user.exec");
});

test.each(["hosted", "classic"] as const)("helm gets the rebuilt kubeconfig and no credentials of Azure, %s", async (from) => {
  const { helm, written, ...clusters } = await cluster();
  const kubeconfig = await written((config) => (config.contexts[0]!.context["namespace"] = "default"));
  exits(await clusters[from]("create", kubeconfig, "--yes", "--skip-diagnostics"), 0);
  expect(await helm.calls()).toEqual(["upgrade --install azure-arc"]);
  const environment = (await helm.environment()).join("\n");
  expect(environment).toContain(`PATH=${helm.path}`);
  expect(environment).not.toMatch(/very-secret|^(?:AZURE|ARM|AAD|ARO_HCP|HELM_KUBE)/m);
});

test("helm gets no credentials of Azure with a kubeconfig of a flag either, except for kubelogin", async () => {
  const { azure, kubernetes, helm } = await cluster();
  const run = (file: string) =>
    azure.cli(["destroy", "arc", ...demo, "--dry-run", "--kubeconfig", file], {
      env: { PATH: helm.path, ...credentials, OTHER: "passed" },
    });
  exits(await run(kubernetes.kubeconfig), 0);
  expect((await helm.environment()).join("\n")).not.toMatch(/very-secret|OTHER/);
  const plugin = (command: string) =>
    kubernetes.writeKubeconfig(({ users }) => (users[0]!.user = { exec: { apiVersion: "client.authentication.k8s.io/v1", command } }));
  // Neither plugin exists, and helm is looked for first.
  exits(await run(await plugin("other-plugin")), 4);
  expect((await helm.environment()).join("\n")).toContain("OTHER=passed");
  expect((await helm.environment()).join("\n")).not.toContain("very-secret");
  exits(await run(await plugin("kubelogin")), 4);
  expect((await helm.environment()).join("\n")).toContain("AZURE_CLIENT_SECRET=very-secret");
});

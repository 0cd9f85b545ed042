/** The sign-in plugin of a kubeconfig that a flag names: which variables it sees, and what its answers are worth. */
import { chmodSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openKubernetes } from "../../src/kubernetes/api-server.js";
import { readKubeconfig } from "../../src/kubernetes/kubeconfig.js";
import { kubernetesServer, type KubernetesServer } from "../harness/kubernetes.js";
import { systemClock } from "../../src/azure/clock.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const environment = {
  PATH: process.env["PATH"],
  HOME: "/home/operator",
  https_proxy: "http://proxy.example.com",
  AZURE_CLIENT_SECRET: "very-secret",
  AAD_LOGIN_METHOD: "spn",
  ARM_CLIENT_SECRET: "very-secret",
  ARO_HCP_NAME: "demo",
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: "very-secret",
  HELM_KUBETOKEN: "other",
  OTHER: "any",
};
const passed = ["HOME", "PATH", "https_proxy"];

/** A program that notes its variables, and answers with this status. */
async function plugin(server: KubernetesServer, name: string, status: object, exec: object = {}) {
  const directory = temporaryDirectory();
  const answer = JSON.stringify({ kind: "ExecCredential", apiVersion: "client.authentication.k8s.io/v1", status });
  const command = directory.write(
    name,
    `#!/bin/sh\nenv >> ${directory.path}/variables\necho x >> ${directory.path}/runs\necho '${answer}'\n`,
  );
  chmodSync(command, 0o755);
  const kubeconfig = await server.writeKubeconfig(
    ({ users }) => (users[0]!.user = { exec: { apiVersion: "client.authentication.k8s.io/v1", command, args: null, env: null, ...exec } }),
  );
  return {
    read: (clock = { now: () => new Date("2026-01-01T00:00:00Z") }) =>
      readKubeconfig(kubeconfig, { environment, clock: { ...systemClock, ...clock } }),
    runs: () => readFileSync(`${directory.path}/runs`, "utf8").trim().split("\n").length,
    variables: () =>
      readFileSync(`${directory.path}/variables`, "utf8")
        .split("\n")
        // The shell's own.
        .filter((line) => line !== "" && !/^(?:PWD|SHLVL|_|OLDPWD)=/.test(line))
        .map((line) => line.split("=")[0] ?? "")
        .sort(),
  };
}

const signal = new AbortController().signal;

test.each([
  ["kubelogin", [...passed, "AAD_LOGIN_METHOD", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "ARM_CLIENT_SECRET", "AZURE_CLIENT_SECRET"]],
  ["other-plugin", [...passed, "OTHER"]],
])("%s sees its variables only", async (name, expected) => {
  const server = await kubernetesServer();
  const { read, variables } = await plugin(server, name, { token: server.apiServer.token });
  await openKubernetes(await read(), signal).nodes();
  expect(variables()).toEqual([...expected].sort());
});

test("variables of the kubeconfig are added", async () => {
  const server = await kubernetesServer();
  const env = [{ name: "AZURE_CLIENT_SECRET", value: "of the file" }];
  const { read, variables } = await plugin(server, "other-plugin", { token: server.apiServer.token }, { env });
  await openKubernetes(await read(), signal).nodes();
  expect(variables()).toContain("AZURE_CLIENT_SECRET");
});

test("a credential is used until it expires", async () => {
  const server = await kubernetesServer();
  const status = { token: server.apiServer.token, expirationTimestamp: "2026-01-01T01:00:00Z" };
  const { read, runs } = await plugin(server, "other-plugin", status);
  let now = new Date("2026-01-01T00:00:00Z");
  const kubernetes = openKubernetes(await read({ now: () => now }), signal);
  await kubernetes.nodes();
  await kubernetes.nodes();
  expect(runs()).toBe(1);
  now = new Date("2026-01-01T02:00:00Z");
  await kubernetes.nodes();
  expect(runs()).toBe(2);
});

test("an answer without a credential is a failed sign-in", async () => {
  const server = await kubernetesServer();
  const { read } = await plugin(server, "other-plugin", {});
  await expect(openKubernetes(await read(), signal).nodes()).rejects.toMatchObject({
    code: "ARO-KUBE-002",
    because: expect.stringMatching(/other-plugin returned no credentials$/) as string,
  });
});

test.each([{ command: null }, { command: "" }, { args: [null] }, { args: "x" }, { env: [null] }, { env: [{ name: "a" }] }])(
  "a plugin that cannot run is refused before any request: %j",
  async (exec) => {
    const server = await kubernetesServer();
    const { read } = await plugin(server, "other-plugin", {}, exec);
    await expect(read()).rejects.toMatchObject({ code: "ARO-FILE-003", message: expect.not.stringMatching(/undefined|null/) as string });
    expect(server.requests).toEqual([]);
  },
);

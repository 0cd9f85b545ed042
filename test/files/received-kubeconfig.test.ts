/** Kubeconfigs that a cluster or Azure sent: what is kept of them, and what is refused by its name. */
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import type { Failure } from "../../src/errors/failure.js";
import { failureLines } from "../../src/errors/format.js";
import { kubeconfigText, receivedKubeconfig } from "../../src/files/received-kubeconfig.js";
import { hostile } from "../harness/hostile-kubeconfigs.js";
import type { Kubeconfig } from "../harness/kubernetes.js";

const secret = { from: "secret demo-admin-kubeconfig in clusters" };
const aks = { from: "AKS cluster mgmt", mayRunKubelogin: true };
const tenant = "5b5c0000-0000-4000-8000-00000000000a";

const whole = (): Kubeconfig => ({
  apiVersion: "v1",
  kind: "Config",
  clusters: [{ name: "demo", cluster: { server: "https://api.example.com:6443", "certificate-authority-data": "Y2E=" } }],
  contexts: [{ name: "admin", context: { cluster: "demo", user: "system:admin" } }],
  "current-context": "admin",
  users: [{ name: "system:admin", user: { "client-certificate-data": "Y2VydA==", "client-key-data": "a2V5", token: "very-secret" } }],
});

function changed(change: (config: Kubeconfig) => void): string {
  const config = whole();
  change(config);
  return JSON.stringify(config);
}

function refusal(text: string, sender: Parameters<typeof receivedKubeconfig>[1] = secret): Failure {
  try {
    receivedKubeconfig(text, sender);
  } catch (error) {
    return error as Failure;
  }
  return expect.unreachable("it was taken");
}

const members = ({ problems }: Failure) => problems.map(({ origin }) => origin);

describe.each([secret, aks])("from $from", (sender) => {
  test("address and credentials are kept, of the current context only, and metadata is dropped", () => {
    const text = changed((config) => {
      Object.assign(config, { preferences: { colors: true }, extensions: [] });
      config.clusters[0]!.cluster["extensions"] = [{ name: "other", extension: {} }];
      config.contexts[0]!.context["namespace"] = "default";
      config.clusters.push({ name: "b", cluster: { server: "https://b.example.com" } });
      config.users.push({ name: "b", user: { token: "other", exec: null, username: null } });
    });
    expect(load(kubeconfigText(receivedKubeconfig(text, sender)))).toEqual(whole());
  });

  test("the certificate of a public authority and another name of the server need no CA data", () => {
    const cluster = { server: "https://api.example.com:6443", "tls-server-name": "kubernetes" };
    const text = changed((config) => (config.clusters[0]!.cluster = cluster));
    expect(receivedKubeconfig(text, sender).cluster).toEqual({ ...cluster, "certificate-authority-data": undefined });
  });

  test.each(hostile.map(({ member, change }) => [member, change] as const))("%s is refused by name", (member, change) => {
    const failure = refusal(
      changed((config) => change(config, "/tmp")),
      sender,
    );
    expect(failure).toMatchObject({ code: "ARO-KUBE-004", message: expect.stringContaining(sender.from) as string });
    expect(members(failure).some((origin) => origin.startsWith(member))).toBe(true);
    expect(JSON.stringify(failureLines(failure, JSON.stringify))).not.toMatch(/very-secret|a2V5|touch/);
  });
});

const token = "eyJhbGciOiJSUzI1NiJ9.very-secret";

test.each<[string, (config: Kubeconfig) => void, string]>([
  ["an unknown member of the file", (config) => Object.assign(config, { include: "/etc" }), "include"],
  ["one of an entry that is not used", ({ users }) => users.push({ name: "b", user: { exec: {} } }), "users[1].user.exec"],
  ["one of a context", ({ contexts }) => (contexts[0]!.context["as"] = "root"), "contexts[0].context.as"],
  ["a name that could be a token", ({ users }) => (users[0]!.user[token] = ""), "users[0].user"],
  ["an entry of null", ({ users }) => users.unshift(null as never), "users[0]"],
  ["a user of null", ({ users }) => (users[0]!.user = null as never), "users[0].user"],
  ["lists of null", (config) => (config.clusters = null as never), "clusters"],
  ["a server with a password", ({ clusters }) => (clusters[0]!.cluster["server"] = `https://a:${token}@b.c`), "clusters[0].cluster.server"],
  [
    "a server that changes the terminal",
    ({ clusters }) => (clusters[0]!.cluster["server"] = "https://a/\u001b[31m"),
    "clusters[0].cluster.server",
  ],
  [
    "a server that a pipeline obeys",
    ({ clusters }) => (clusters[0]!.cluster["server"] = "https://a/##vso[x]y"),
    "clusters[0].cluster.server",
  ],
  ["a name that changes the terminal", ({ contexts }) => (contexts[0]!.name = "a\u001b[31m"), "contexts[0].name"],
  ["a token of several lines", ({ users }) => (users[0]!.user["token"] = `${token}\nX: y`), "users[0].user.token"],
  ["a key that is not base64", ({ users }) => (users[0]!.user["client-key-data"] = token), "users[0].user.client-key-data"],
  ["a certificate without key", ({ users }) => delete users[0]!.user["client-key-data"], "users[0].user"],
  ["no credentials", ({ users }) => (users[0]!.user = {}), "users[0].user"],
  ["a context of another file", (config) => (config["current-context"] = "b"), "current-context"],
])("%s is refused, and not quoted", (_what, change, origin) => {
  const failure = refusal(changed(change));
  expect([failure.code, members(failure)]).toEqual(["ARO-KUBE-004", [origin]]);
  expect(JSON.stringify(failureLines(failure, JSON.stringify))).not.toMatch(/very-secret|vso|\[31m/);
});

test.each(["", "null", "text", "[]", "a: [very-secret", "a: *b", "a: 1\n---\nb: 2", "[".repeat(300)])(
  "what is no kubeconfig is refused: %s",
  (text) => {
    expect(refusal(text)).toMatchObject({ code: "ARO-KUBE-004" });
  },
);

const exec = {
  apiVersion: "client.authentication.k8s.io/v1beta1",
  command: "kubelogin",
  args: [
    ...["get-token", "--environment", "AzurePublicCloud", "--server-id", tenant, "--client-id", tenant],
    ...["--tenant-id", tenant, "--login", "devicecode"],
  ],
  env: null,
  installHint: "Install\u001b[31m kubelogin",
  interactiveMode: "IfAvailable",
  provideClusterInfo: false,
};
const withExecOf = (more: object) => changed(({ users }) => (users[0]!.user = { exec: { ...exec, ...more } }));

test("AKS may name kubelogin, with the arguments that it writes", () => {
  const { installHint, ...kept } = receivedKubeconfig(withExecOf({}), aks).user.exec ?? {};
  const { installHint: _, env, ...given } = exec;
  expect(kept).toEqual(given);
  expect(env).toBeNull();
  expect(installHint).not.toContain("\u001b");
});

test.each<[string, object]>([
  ["command", { command: "/usr/local/bin/kubelogin" }],
  ["command", { command: "./kubelogin" }],
  ["command", { command: "sh" }],
  ["command", { command: null }],
  ["args", { args: ["convert-kubeconfig"] }],
  ["args", { args: [...exec.args, "--authority-host", "https://login.example.com"] }],
  ["args", { args: [...exec.args, "--token-cache-dir", "/tmp"] }],
  ["args", { args: [...exec.args, "--client-certificate", "/etc/key.pem"] }],
  ["args", { args: ["get-token", "--environment", "../../x"] }],
  ["args", { args: ["get-token", "--login", "ropc"] }],
  ["args", { args: ["get-token", "--login"] }],
  ["args", { args: ["get-token", "--login", "spn", "--login", "msi"] }],
  ["args", { args: ["get-token", "--server-id=x"] }],
  ["args[0]", { args: [null] }],
  ["env", { env: [{ name: "HTTPS_PROXY", value: "http://a.example.com" }] }],
  ["apiVersion", { apiVersion: "client.authentication.k8s.io/v1alpha1" }],
  ["stdinUnavailable", { stdinUnavailable: true }],
])("AKS may not name another plugin: %s of %j", (member, more) => {
  expect(members(refusal(withExecOf(more), aks))).toEqual([`users[0].user.exec.${member}`]);
});

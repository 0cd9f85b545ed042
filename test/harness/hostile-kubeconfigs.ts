/** What a kubeconfig can contain to run a program, to read a file or to send what it reads elsewhere, by the member that does it. */
import { join } from "node:path";
import type { Kubeconfig } from "./kubernetes.js";

interface Hostile {
  /** As a refusal names it. */
  readonly member: string;
  /** `directory` has a file `key.pem`. A program that runs leaves a file `ran` there. */
  readonly change: (config: Kubeconfig, directory: string) => void;
}

const ofUser = (key: string, value: (directory: string) => unknown): Hostile => ({
  member: `users[0].user.${key}`,
  change: ({ users }, directory) => (users[0]!.user[key] = value(directory)),
});
const ofCluster = (key: string, value: (directory: string) => unknown): Hostile => ({
  member: `clusters[0].cluster.${key}`,
  change: ({ clusters }, directory) => (clusters[0]!.cluster[key] = value(directory)),
});

export const ranIn = (directory: string): string => join(directory, "ran");
const touch = (directory: string) => ["-c", `touch ${ranIn(directory)}`];
const keyIn = (directory: string): string => join(directory, "key.pem");
const apiVersion = "client.authentication.k8s.io/v1";

/** The program of `exec` runs with this command. */
export const withExec = (command: string): Hostile => ({
  member: "users[0].user.exec",
  change: ({ users }, directory) => (users[0]!.user = { exec: { apiVersion, command, args: touch(directory) } }),
});

export const hostile: readonly Hostile[] = [
  withExec("/bin/sh"),
  {
    member: "users[0].user.auth-provider",
    change: ({ users }, directory) => {
      const config = { "cmd-path": "/bin/sh", "cmd-args": `-c 'touch ${ranIn(directory)}'`, "token-key": "{.a}", "expiry-key": "{.b}" };
      users[0]!.user = { "auth-provider": { name: "azure", config } };
    },
  },
  ofUser("tokenFile", keyIn),
  ofUser("token-file", keyIn),
  ofUser("client-certificate", keyIn),
  ofUser("client-key", keyIn),
  ofUser("username", () => "admin"),
  ofUser("as", () => "system:admin"),
  ofCluster("certificate-authority", keyIn),
  ofCluster("proxy-url", () => "http://127.0.0.1:1"),
  ofCluster("insecure-skip-tls-verify", () => true),
  ofCluster("server", () => "http://127.0.0.1:1"),
];

/** Kubeconfig files: what is refused before anything is sent, without quoting what may be a token. */
import { expect, test } from "vitest";
import type { Failure } from "../../src/errors/failure.js";
import { readKubeconfig } from "../../src/kubernetes/kubeconfig.js";
import { ownSurroundings } from "../harness/surroundings.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const whole = `apiVersion: v1
kind: Config
current-context: mgmt
clusters: [{ name: mgmt, cluster: { server: "https://mgmt.hcp.eastus.azmk8s.io:443", certificate-authority: ca.pem } }]
contexts: [{ name: mgmt, context: { cluster: mgmt, user: admin } }]
users: [{ name: admin, user: { token: very-secret } }]
`;

const inFile = (text: string): string => temporaryDirectory().write("config", text);

async function refusal(text: string): Promise<Failure> {
  const path = inFile(text);
  return readKubeconfig(path, ownSurroundings).then(
    () => expect.unreachable("it was taken"),
    (error: unknown) => error as Failure,
  );
}

test("one that names a cluster is taken, and the files that it names lie beside it", async () => {
  const path = inFile(whole);
  const { server, config } = await readKubeconfig(path, ownSurroundings);
  expect(server).toBe("https://mgmt.hcp.eastus.azmk8s.io:443");
  expect(config.getCurrentCluster()?.caFile).toBe(path.replace(/config$/, "ca.pem"));
});

test("certificates are verified, whatever the file says", async () => {
  for (const [text, words] of [
    [whole.replace("certificate-authority: ca.pem", "insecure-skip-tls-verify: true"), "insecure-skip-tls-verify for cluster mgmt"],
    [whole.replace("https://", "http://"), "the address http://mgmt.hcp.eastus.azmk8s.io:443 for cluster mgmt, which is not HTTPS"],
  ] as const) {
    const { code, message, next } = await refusal(text);
    expect([code, message]).toEqual(["ARO-USAGE-001", expect.stringContaining(words)]);
    expect(JSON.stringify(next)).toContain("certificate-authority-data");
  }
});

test("what is no kubeconfig is refused by its kind, and not quoted", async () => {
  for (const [text, code, words] of [
    ["", "ARO-FILE-002", "is empty"],
    [`${whole}\n  x: [very-secret`, "ARO-FILE-002", "is not well-formed"],
    ["infraID: x", "ARO-FILE-003", "has no current context"],
    ["just very-secret text", "ARO-FILE-003", "no current context"],
    [whole.replace("current-context: mgmt", "current-context: other"), "ARO-FILE-003", "has no cluster for its current context other"],
    [whole.replace("cluster: mgmt, user", "cluster: other, user"), "ARO-FILE-003", "has no cluster for its current context mgmt"],
    [whole.replace("{ name: mgmt, cluster: {", "null, { name: mgmt, cluster: {"), "ARO-FILE-003", "a member has another type"],
    [whole.replace("certificate-authority: ca.pem", "certificate-authority: 5"), "ARO-FILE-003", "a member has another type"],
    [
      whole.replace("token: very-secret", "auth-provider: { name: gcp, config: { cmd-path: very-secret } }"),
      "ARO-FILE-003",
      "runs a command",
    ],
    [whole.replace("name: admin, user", "nome: admin, user"), "ARO-FILE-003", "is not a kubeconfig: users[0].name is missing"],
  ] as const) {
    const failure = await refusal(text);
    expect([failure.code, failure.message]).toEqual([code, expect.stringContaining(words)]);
    expect(`${failure.message} ${failure.because ?? ""}`).not.toContain("very-secret");
  }
});

/** What a client of a management cluster makes of answers that are cut off, endless, or not an API server's. */
import { expect, test } from "vitest";
import { openKubernetes } from "../../src/kubernetes/api-server.js";
import { readKubeconfig } from "../../src/kubernetes/kubeconfig.js";
import type { Kubernetes } from "../../src/kubernetes/kubernetes.js";
import { kubernetesServer } from "../harness/kubernetes.js";
import { ownSurroundings } from "../harness/surroundings.js";

const reads: Readonly<Record<string, (kubernetes: Kubernetes) => Promise<unknown>>> = {
  nodes: ({ nodes }) => nodes(),
  "a namespace": ({ hasNamespace }) => hasNamespace("x"),
  "a deployment": ({ deployment }) => deployment("x", "y"),
  pods: ({ pods }) => pods("x"),
  events: ({ failedMounts }) => failedMounts("x"),
  SecretProviderClasses: ({ secretProviderClasses }) => secretProviderClasses("x"),
};

const answers = [
  ["an empty object", "{}", "whole"],
  ["null", "null", "whole"],
  ["nothing", "", "whole"],
  ["a page", "<html>please sign in</html>", "whole"],
  ["a list with null", '{"items":[null]}', "whole"],
  ["half of a list", '{"items":[', "cut"],
] as const;

test.each(
  Object.entries(reads).flatMap(([what, read]) => answers.map(([title, body, length]) => [title, what, read, body, length] as const)),
)("%s is not an answer about %s", async (_title, _what, read, body, length) => {
  const server = await kubernetesServer();
  server.disguise(body, length);
  const kubernetes = openKubernetes(await readKubeconfig(server.kubeconfig, ownSurroundings), new AbortController().signal);
  await expect(read(kubernetes)).rejects.toMatchObject({ code: "ARO-KUBE-001" });
});

test("an endless answer ends at a limit", async () => {
  const server = await kubernetesServer();
  server.disguise(" ".repeat(1024 * 1024), "endless");
  const kubernetes = openKubernetes(await readKubeconfig(server.kubeconfig, ownSurroundings), new AbortController().signal);
  await expect(kubernetes.nodes()).rejects.toMatchObject({ code: "ARO-KUBE-001", because: "the response has more than 64 MiB" });
});

/** Catalogue entries for reads of the management cluster. */
import { advise, shell, withFlag } from "./advice.js";

export const kubernetesFailures = {
  "ARO-KUBE-001": {
    title: "the API server of the management cluster did not respond as expected",
    exit: 1,
    next: [
      advise`check that ${shell`kubectl get nodes`} works with the same kubeconfig: the cluster may be stopped, private, deleted, or block this machine's address`,
    ],
  },
  "ARO-KUBE-002": {
    title: "the sign-in to the API server of the management cluster failed",
    exit: 4,
    next: [
      advise`fetch the kubeconfig again with ${shell`az aks get-credentials`}; for a cluster with Entra sign-in, install kubelogin and run ${shell`kubelogin convert-kubeconfig --login azurecli`}, since interactive sign-in is not supported`,
    ],
  },
  "ARO-KUBE-003": {
    title: "the API server of the management cluster denies read access",
    exit: 5,
    next: ["ask an administrator of the cluster for the read permissions that docs/verify.md lists"],
  },
  "ARO-KUBE-004": {
    title: "a kubeconfig that a cluster or Azure sent contains more than an address and credentials",
    exit: 5,
    next: [
      advise`find out who wrote the members above: they can run programs and read files on this machine${withFlag("--kubeconfig", "; or pass a kubeconfig that you trust with --kubeconfig")}`,
    ],
  },
} as const;

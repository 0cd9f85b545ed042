/** Failures of asking the management cluster. Part of the catalogue. */
import type { CatalogueEntry } from "./catalogue-entry.js";

export const kubernetesFailures = {
  "ARO-KUBE-001": {
    title: "the API server of the management cluster did not answer as it should",
    exit: 1,
    next: [
      "see whether `kubectl get nodes` with the same kubeconfig is answered: the cluster may be stopped, private, or not admit this machine's address, " +
        "or the kubeconfig be of one that is gone",
    ],
  },
  "ARO-KUBE-002": {
    title: "the API server of the management cluster was not signed in to",
    exit: 4,
    next: [
      "fetch the kubeconfig again with `az aks get-credentials`; for a cluster of Entra, install kubelogin and run " +
        "`kubelogin convert-kubeconfig --login azurecli`, since a plugin that asks on the terminal is not heard",
    ],
  },
  "ARO-KUBE-003": {
    title: "the API server of the management cluster grants no right to read",
    exit: 5,
    next: ["ask an administrator of the cluster for the rights to read that docs/verify.md lists"],
  },
} as const satisfies Record<string, CatalogueEntry>;

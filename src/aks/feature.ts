/** Management clusters and service clusters: AKS clusters for hosted control planes, and for the services of ARO HCP. */
import type { Check } from "../verify/check.js";

export { commands } from "./commands.js";
export { options } from "./options.js";

export const modules = {
  "create management-cluster": () => import("./commands/create-cluster.js").then(({ managementCluster: run }) => ({ run })),
  "destroy management-cluster": () => import("./commands/destroy-cluster.js").then(({ managementCluster: run }) => ({ run })),
  "show management-cluster": () => import("./commands/show-cluster.js").then(({ managementCluster: run }) => ({ run })),
  "verify management-cluster": () => import("./commands/verify-cluster.js").then(({ managementCluster: run }) => ({ run })),
  "graph management-cluster": () => import("./commands/graph-cluster.js").then(({ managementCluster: run }) => ({ run })),
  "create service-cluster": () => import("./commands/create-cluster.js").then(({ serviceCluster: run }) => ({ run })),
  "destroy service-cluster": () => import("./commands/destroy-cluster.js").then(({ serviceCluster: run }) => ({ run })),
  "show service-cluster": () => import("./commands/show-cluster.js").then(({ serviceCluster: run }) => ({ run })),
  "verify service-cluster": () => import("./commands/verify-cluster.js").then(({ serviceCluster: run }) => ({ run })),
  "graph service-cluster": () => import("./commands/graph-cluster.js").then(({ serviceCluster: run }) => ({ run })),
  "render ingress": () => import("./commands/render-ingress.js"),
};

export const optionChecks = () => import("./option-checks.js").then(({ checks }) => checks);

export const checks = {
  "verify management-cluster": (): Promise<Readonly<Record<string, Check>>> =>
    import("./verify/checks.js").then(({ aksChecks }) => aksChecks),
  "verify service-cluster": (): Promise<Readonly<Record<string, Check>>> => import("./verify/checks.js").then(({ aksChecks }) => aksChecks),
};

export const documents = () => import("./documents.js");

export const recalled = () => import("./recalled-settings.js");

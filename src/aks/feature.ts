/** Management clusters and service clusters: AKS clusters for hosted control planes, and for the services of ARO HCP. */
import { forKind } from "../run/kind-command.js";
import type { Check } from "../verify/check.js";

export { commands } from "./commands.js";
export { options } from "./options.js";

export const modules = {
  "create management-cluster": forKind("management-cluster", () => import("./commands/create-cluster.js")),
  "destroy management-cluster": forKind("management-cluster", () => import("./commands/destroy-cluster.js")),
  "show management-cluster": forKind("management-cluster", () => import("./commands/show-cluster.js")),
  "verify management-cluster": forKind("management-cluster", () => import("./commands/verify-cluster.js")),
  "graph management-cluster": forKind("management-cluster", () => import("./commands/graph-cluster.js")),
  "create service-cluster": forKind("service-cluster", () => import("./commands/create-cluster.js")),
  "destroy service-cluster": forKind("service-cluster", () => import("./commands/destroy-cluster.js")),
  "show service-cluster": forKind("service-cluster", () => import("./commands/show-cluster.js")),
  "verify service-cluster": forKind("service-cluster", () => import("./commands/verify-cluster.js")),
  "graph service-cluster": forKind("service-cluster", () => import("./commands/graph-cluster.js")),
  "render ingress": () => import("./commands/render-ingress.js"),
};

export const optionChecks = () => import("./option-checks.js").then(({ checks }) => checks);

const verifyChecks = (): Promise<Readonly<Record<string, Check>>> => import("./verify/checks.js").then(({ aksChecks }) => aksChecks);

export const checks = { "verify management-cluster": verifyChecks, "verify service-cluster": verifyChecks };

export const documents = () => import("./documents.js");

export const recalled = () => import("./recalled-settings.js");

/** Azure Arc: connected clusters, their extensions, and the secrets of their workloads. */
import type { Check } from "../verify/check.js";

export { commands } from "./commands.js";
export { options } from "./options.js";

export const modules = {
  "create arc": () => import("./commands/create-arc.js"),
  "wait arc": () => import("./commands/wait-arc.js"),
  "show arc": () => import("./commands/show-arc.js"),
  "verify arc": () => import("./commands/verify-arc.js"),
  "destroy arc": () => import("./commands/destroy-arc.js"),
  "render arc": () => import("./commands/render-arc.js"),
  "create arc extension": () => import("./commands/create-arc-extension.js"),
  "show arc extension": () => import("./commands/show-arc-extension.js"),
  "destroy arc extension": () => import("./commands/destroy-arc-extension.js"),
  "create arc secrets": () => import("./commands/create-arc-secrets.js"),
};

export const optionChecks = () => import("./option-checks.js").then(({ checks }) => checks);

export const checks = {
  "verify arc": (): Promise<Readonly<Record<string, Check>>> => import("./verify/checks.js").then(({ arcChecks }) => arcChecks),
};

export const documents = () => import("./documents.js");

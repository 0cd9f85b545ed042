/** A cluster as a whole: infrastructure, identity set, issuer and encryption key. */
import type { Check } from "../verify/check.js";

export { commands } from "./commands.js";

export const modules = {
  "create all": () => import("./create-all.js"),
  "destroy all": () => import("./destroy-all.js"),
  "show all": () => import("./show-all.js"),
  "verify all": () => import("./verify-all.js"),
  graph: () => import("./graph-all.js"),
};

export const optionChecks = () => import("./option-checks.js").then(({ checks }) => checks);

export const checks = {
  "verify all": async (): Promise<Readonly<Record<string, Check>>> => {
    const [{ infraChecks }, { identityChecks }] = await Promise.all([import("../infra/index.js"), import("../identities/index.js")]);
    return { ...infraChecks, ...identityChecks };
  },
};

export const documents = () => import("./documents.js");

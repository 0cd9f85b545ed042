/** The identity set of a cluster: applications with certificates in a Key Vault, and managed identities. */
import type { Check } from "../verify/check.js";

export { commands } from "./commands.js";
export { options } from "./options.js";

export const modules = {
  "create identities": () => import("./create-identities.js"),
  "destroy identities": () => import("./destroy-identities.js"),
  "show identities": () => import("./show-identities.js"),
  "verify identities": () => import("./verify-identities.js"),
  "rotate credentials": () => import("./rotate-credentials.js"),
  "render secret-provider-classes": () => import("./render-secret-provider-classes.js"),
};

export const optionChecks = () => import("./option-checks.js").then(({ checks }) => checks);

export const checks = {
  "verify identities": (): Promise<Readonly<Record<string, Check>>> =>
    import("./verify/checks.js").then(({ identityChecks }) => identityChecks),
};

export const documents = () => import("./documents.js");

/** What a create needs, checked before anything is created. */
import { forKind } from "../run/kind-command.js";
import type { Check } from "../verify/check.js";

export { commands } from "./commands.js";
export { options } from "./options.js";

export const modules = {
  doctor: () => import("./doctor.js"),
  "doctor management-cluster": forKind("management-cluster", () => import("./doctor-cluster.js")),
  "doctor service-cluster": forKind("service-cluster", () => import("./doctor-cluster.js")),
};

export const optionChecks = () => import("./option-checks.js").then(({ checks: all }) => all);

const prerequisites = (): Promise<Readonly<Record<string, Check>>> =>
  import("../preflight/checks.js").then(({ doctorChecks }) => doctorChecks);

export const checks = { doctor: prerequisites, "doctor management-cluster": prerequisites, "doctor service-cluster": prerequisites };

export const documents = () => import("./documents.js");

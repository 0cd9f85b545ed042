/** What a create needs, checked before anything is created. */
import type { Check } from "../verify/check.js";

export { commands } from "./commands.js";

export const modules = {
  doctor: () => import("./doctor.js"),
  "doctor management-cluster": () => import("./doctor-cluster.js").then(({ managementCluster: run }) => ({ run })),
  "doctor service-cluster": () => import("./doctor-cluster.js").then(({ serviceCluster: run }) => ({ run })),
};

export const checks = {
  doctor: (): Promise<Readonly<Record<string, Check>>> => import("../preflight/checks.js").then(({ doctorChecks }) => doctorChecks),
  "doctor management-cluster": (): Promise<Readonly<Record<string, Check>>> =>
    import("../preflight/checks.js").then(({ doctorChecks }) => doctorChecks),
  "doctor service-cluster": (): Promise<Readonly<Record<string, Check>>> =>
    import("../preflight/checks.js").then(({ doctorChecks }) => doctorChecks),
};

export const documents = () => import("./documents.js");

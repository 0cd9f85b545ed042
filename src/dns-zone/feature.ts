/** A public DNS zone, its delegation, and the identity of external-dns. */
import type { Check } from "../verify/check.js";

export { commands } from "./commands.js";
export { options } from "./options.js";

export const modules = {
  "create dns-zone": () => import("./commands/create-dns-zone.js"),
  "show dns-zone": () => import("./commands/show-dns-zone.js"),
  "verify dns-zone": () => import("./commands/verify-dns-zone.js"),
  "destroy dns-zone": () => import("./commands/destroy-dns-zone.js"),
};

export const optionChecks = () => import("./option-checks.js").then(({ checks }) => checks);

export const checks = {
  "verify dns-zone": (): Promise<Readonly<Record<string, Check>>> =>
    import("./verify/checks.js").then(({ dnsZoneChecks }) => dnsZoneChecks),
};

export const documents = () => import("./documents.js");

/** The checks that `--only` of a command selects. Their tables load no library. */
import type { CommandName } from "../settings/commands.js";
import type { OptionName } from "../settings/options.js";
import type { commands } from "../settings/commands.js";
import type { Check } from "../verify/check.js";

/** The commands with an option. */
type CommandWith<N extends OptionName> = {
  [C in CommandName]: N extends (typeof commands)[C]["options"][number] ? C : never;
}[CommandName];

type Checks = Readonly<Record<string, Check>>;

const doctor = () => import("../preflight/checks.js").then(({ doctorChecks }): Checks => doctorChecks);
const aks = () => import("../aks/verify/checks.js").then(({ aksChecks }): Checks => aksChecks);

const checksByCommand: { readonly [C in CommandWith<"only">]: () => Promise<Checks> } = {
  doctor,
  "doctor management-cluster": doctor,
  "doctor service-cluster": doctor,
  "verify management-cluster": aks,
  "verify service-cluster": aks,
  "verify infra": () => import("../infra/verify/checks.js").then(({ infraChecks }): Checks => infraChecks),
  "verify identities": () => import("../identities/verify/checks.js").then(({ identityChecks }): Checks => identityChecks),
  "verify dns-zone": () => import("../dns-zone/verify/checks.js").then(({ dnsZoneChecks }): Checks => dnsZoneChecks),
  "verify arc": () => import("../arc/verify/checks.js").then(({ arcChecks }): Checks => arcChecks),
};

/** Undefined for a command without `--only`. */
export function checksOf(command: CommandName): Promise<Checks> | undefined {
  const load: (() => Promise<Checks>) | undefined = (checksByCommand as Partial<Record<CommandName, () => Promise<Checks>>>)[command];
  return load?.();
}

/** The tracks as data: commands that run one after another on one state. Each can end at any moment. */
import {
  arcAgentsReport,
  demoSeed,
  egressSeed,
  givenVaultSeed,
  hsmSeed,
  iamGroupSeed,
  managementSeed,
  otherExtension,
  serviceSeed,
  unclaimedIdentities,
  type Meanwhile,
} from "../demo-cluster.js";
import { command, type Command, type CommandName } from "./commands.js";

export interface Track {
  readonly name: string;
  /** Seed document of resources that exist before. */
  readonly seed?: unknown;
  /** Run before, and not ended. */
  readonly before?: readonly CommandName[];
  readonly commands: readonly (CommandName | Meanwhile)[];
  /** Destroys what the others created. */
  readonly undo: CommandName;
  /** For some commands: the same with another choice, by its further flags. */
  readonly otherwise?: Partial<Record<CommandName, readonly string[]>>;
}

/** Each choice also ends the one before. */
const egressChoices = (["nat-gateway", "addresses", "prefix", "existing-gateway", "routing"] as const).map(
  (choice) => `create infra with ${choice}` as const,
);

const gateway = ["--egress", "nat-gateway", "--change-egress"];

export const tracks: readonly Track[] = [
  {
    name: "infra",
    seed: demoSeed(),
    commands: ["create infra", "destroy infra"],
    undo: "destroy infra",
    otherwise: { "create infra": gateway },
  },
  {
    name: "egress",
    seed: egressSeed(),
    commands: [...egressChoices, "destroy infra"],
    undo: "destroy infra",
    // The plain command keeps no choice, so another one follows from each.
    otherwise: Object.fromEntries(egressChoices.map((name) => [name, ["--vnet-address-prefix", "10.20.0.0/16"]])),
  },
  {
    name: "all",
    commands: ["create all", "rotate credentials", "rotate encryption-key", "destroy all"],
    undo: "destroy all",
    otherwise: { "create all": gateway },
  },
  {
    name: "all with hsm",
    seed: hsmSeed(),
    before: ["create all with hsm"],
    commands: ["rotate encryption-key with hsm", "destroy all"],
    undo: "destroy all",
  },
  {
    name: "identities with given-vault",
    seed: givenVaultSeed(),
    commands: [
      "create identities with given-vault",
      "create encryption-key with given-vault",
      "rotate encryption-key with given-vault",
      "destroy identities with given-vault",
    ],
    undo: "destroy identities with given-vault",
  },
  // No cluster uses these sets, so their keys can be deleted. A deleted key keeps its name: the create recovers it.
  {
    name: "encryption key",
    before: ["create identities", "create encryption-key"],
    commands: ["destroy encryption-key", "create encryption-key", "destroy identities"],
    undo: "destroy identities",
  },
  {
    name: "encryption key with hsm",
    seed: hsmSeed(),
    before: ["create identities", "create encryption-key with hsm"],
    commands: ["destroy encryption-key with hsm", "create encryption-key with hsm", "destroy identities"],
    undo: "destroy identities",
  },
  {
    name: "management cluster",
    seed: managementSeed(),
    commands: ["create management-cluster", "destroy management-cluster"],
    undo: "destroy management-cluster",
    otherwise: { "create management-cluster": ["--environment", "dev"] },
  },
  {
    name: "service cluster",
    seed: serviceSeed(),
    commands: ["create service-cluster", "destroy service-cluster"],
    undo: "destroy service-cluster",
  },
  {
    name: "arc",
    commands: [
      "create arc",
      arcAgentsReport,
      otherExtension,
      "create arc secrets",
      "create arc extension",
      "destroy arc extension",
      "destroy arc",
    ],
    undo: "destroy arc",
  },
  { name: "iam", commands: ["create iam", "destroy iam"], undo: "destroy iam" },
  { name: "adopted iam", seed: iamGroupSeed, commands: [unclaimedIdentities, "adopt iam", "destroy iam"], undo: "destroy iam" },
  {
    name: "DNS zone",
    commands: ["create dns-zone", "create dns-zone with service-principal", "destroy dns-zone"],
    undo: "destroy dns-zone",
    otherwise: { "create dns-zone": ["--external-dns-identity", "none"] },
  },
];

/** With further flags: the last of one name counts. */
export const commandWith =
  (name: CommandName, flags: readonly string[]): Command =>
  (directory) => [...command(name)(directory).filter((arg) => arg !== "--yes"), ...flags, "--yes"];

/** The lives as data: what is created and destroyed, and what exists before. */
import { arcAgentsReport, egressSeed, hsmSeed, managementSeed, otherExtension, serviceSeed, type Meanwhile } from "../demo-cluster.js";
import type { CommandName } from "./commands.js";

/** The destroy deletes what the create made. */
export interface Life {
  readonly create: CommandName;
  readonly destroy: CommandName;
  /** Seed document of resources that exist before. */
  readonly seed?: unknown;
  /** Run undisturbed before. */
  readonly before?: readonly (CommandName | Meanwhile)[];
}

/** Each choice of the egress ends the one before. */
const egressChoices = ["nat-gateway", "addresses", "prefix", "existing-gateway", "routing"] as const;

const egressLives = egressChoices.map((choice, index): Life => {
  const earlier = egressChoices.at(index - 1) ?? choice;
  return {
    create: `create infra with ${choice}`,
    destroy: "destroy infra",
    seed: egressSeed(),
    before: [`create infra with ${earlier}`],
  };
});

const connected = ["create arc", arcAgentsReport, otherExtension] as const;

export const lives: readonly Life[] = [
  { create: "create all", destroy: "destroy all" },
  {
    create: "create encryption-key",
    destroy: "destroy encryption-key",
    // The key is soft-deleted, so the create recovers it.
    before: ["create identities", "create encryption-key", "destroy encryption-key"],
  },
  {
    create: "create encryption-key with hsm",
    destroy: "destroy encryption-key with hsm",
    seed: hsmSeed(),
    before: ["create identities", "create encryption-key with hsm", "destroy encryption-key with hsm"],
  },
  { create: "create management-cluster", destroy: "destroy management-cluster", seed: managementSeed() },
  { create: "create service-cluster", destroy: "destroy service-cluster", seed: serviceSeed() },
  { create: "create arc", destroy: "destroy arc" },
  { create: "create arc secrets", destroy: "destroy arc", before: ["create arc"] },
  { create: "create arc extension", destroy: "destroy arc extension", before: connected },
  { create: "create arc extension", destroy: "destroy arc", before: connected },
  { create: "create iam", destroy: "destroy iam" },
  { create: "create dns-zone", destroy: "destroy dns-zone" },
  { create: "create dns-zone with service-principal", destroy: "destroy dns-zone" },
  ...egressLives,
];

export const nameOf = ({ create, destroy }: Life): string => `${create}, ${destroy}`;

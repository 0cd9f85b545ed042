/** What the benchmark on the virtual clock measures, as data. */
import { demoSeed } from "../demo-cluster.js";
import type { CommandName } from "./commands.js";
import { lives, type Life } from "./lives.js";

export interface MeasuredLife extends Life {
  /** Reads what the create has made. */
  readonly verify?: CommandName;
  /** Azure works for seconds only, so that sign-in and reads are much of the time. */
  readonly isShort?: true;
}

/** Whether a run changes Azure, changes nothing because another one has, or only reads. */
export type RunKind = "first" | "again" | "verify";

interface Run {
  /** How the benchmark calls it. */
  readonly title: string;
  readonly name: CommandName;
  readonly kind: RunKind;
}

const livesOf = (...creates: readonly CommandName[]): Life[] => lives.filter(({ create }) => creates.includes(create));

export const measuredLives: readonly MeasuredLife[] = [
  { create: "create infra", destroy: "destroy infra", seed: demoSeed() },
  { create: "create all", destroy: "destroy all", verify: "verify identities" },
  { create: "create all with account-key", destroy: "destroy all" },
  { create: "create identities", destroy: "destroy identities" },
  ...livesOf("create management-cluster", "create service-cluster"),
  ...livesOf("create encryption-key", "create arc", "create iam", "create dns-zone").map((life) => ({ ...life, isShort: true as const })),
];

/** In their order. */
export function runsOf(life: MeasuredLife): Run[] {
  const { create, destroy, verify } = life;
  const isFirstWithDestroy = measuredLives.find((each) => each.destroy === destroy)?.create === create;
  const shownDestroy = isFirstWithDestroy ? destroy : `${destroy} after ${create}`;
  return [
    { title: create, name: create, kind: "first" },
    { title: `second ${create}`, name: create, kind: "again" },
    ...(verify === undefined ? [] : [{ title: verify, name: verify, kind: "verify" } as const]),
    { title: shownDestroy, name: destroy, kind: "first" },
    { title: `second ${shownDestroy}`, name: destroy, kind: "again" },
  ];
}

/** The role that a rotation of the encryption key assigns to the signed-in principal, and takes back at its end. */
import type { HeldRole, OwnRole } from "../azure/own-role.js";
import { byId, defineStep, type Decision, type Step } from "../engine/step.js";
import type { VaultOutput } from "./key-vault.js";

export interface KeyRole {
  /** `isDue`: whether the key is rotated, because otherwise nothing needs the role. */
  before<Key>(existing: Step<Key>, isDue: (key: Key, now: Date) => boolean): readonly Step<unknown>[];
  after(steps: readonly Step<unknown>[]): readonly Step<unknown>[];
}

interface Held {
  readonly role: HeldRole;
}

const forThisRun = "for this run only";

export function keyRole(officer: OwnRole, vault: Step<VaultOutput>, keepsRole: boolean): KeyRole {
  const { title, role } = officer;
  const subject = { kind: "role-assignment", role: role.name } as const;
  const read = async ({ id }: VaultOutput): Promise<Held> => ({ role: await officer.held(id) });
  const given = keepsRole ? "lasting" : "temporary";
  let assigned: Step<HeldRole> | undefined;
  return {
    before(existing, isDue) {
      assigned = defineStep({
        id: "vault-keys-role",
        title,
        subject,
        needs: { vault, existing },
        within: "vault",
        read: ({ vault: live }) => read(live),
        decide(live, { existing: key }, now): Decision {
          // A killed run left it, and this run keeps its role.
          if (keepsRole && live?.role === "temporary") return { act: "update", why: "it stays from now on", changes: [] };
          if (live?.role !== undefined || !isDue(key, now)) return { act: "keep" };
          return { act: "create", why: keepsRole ? "the rotation needs it" : forThisRun };
        },
        async apply(_live, { vault: { id } }): Promise<Held> {
          await officer.assign(id);
          return { role: given };
        },
        predict: (): HeldRole => given,
        output: (live): HeldRole => live.role,
      });
      return [assigned];
    },
    after(steps) {
      if (keepsRole || assigned === undefined) return [];
      const decide = (held: HeldRole): Decision =>
        held === "temporary" ? { act: "remove", why: forThisRun, changes: [] } : { act: "keep" };
      return [
        defineStep({
          id: "vault-keys-role-end",
          title,
          subject,
          needs: { ...byId(steps), vault, assigned },
          within: "vault",
          isLast: true,
          read: async ({ vault: live }): Promise<Held> => (live === undefined ? { role: undefined } : read(live)),
          preview: ({ assigned: held }) => decide(held),
          decide: (live) => decide(live?.role),
          async apply(_live, { vault: { id } }): Promise<Held> {
            await officer.takeBack(id);
            return { role: undefined };
          },
          output: () => undefined,
        }),
      ];
    },
  };
}

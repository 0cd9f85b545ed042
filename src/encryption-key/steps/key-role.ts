/** The role that a rotation of the encryption key assigns to the signed-in principal, and takes back at its end. */
import type { HeldRole, OwnRole } from "../../azure/own-role.js";
import { defineStep, type Decision, type Step } from "../../engine/step.js";
import type { VaultOutput } from "../../steps/key-vault.js";
import { forThisRun, ownRoleEnd } from "../../steps/role-for-one-run.js";

export interface KeyRole {
  /** `isDue`: whether the key is rotated, because otherwise nothing needs the role. */
  before<Key>(existing: Step<Key>, isDue: (key: Key, now: Date) => boolean): readonly Step<unknown>[];
  after(steps: readonly Step<unknown>[]): readonly Step<unknown>[];
}

interface Held {
  readonly role: HeldRole;
}

const id = "vault-keys-role";

export function keyRole(officer: OwnRole, vault: Step<VaultOutput>, keepsRole: boolean): KeyRole {
  const { title, role } = officer;
  const subject = { kind: "role-assignment", role: role.name } as const;
  const read = async ({ id }: VaultOutput): Promise<Held> => ({ role: await officer.held(id) });
  const given = keepsRole ? "lasting" : "temporary";
  let assigned: Step<Held> | undefined;
  return {
    before(existing, isDue) {
      assigned = defineStep({
        id,
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
        predict: (): Held => ({ role: given }),
        output: (live) => live,
      });
      return [assigned];
    },
    after(steps) {
      return keepsRole || assigned === undefined ? [] : [ownRoleEnd(officer, { id, scope: vault, assigned, steps })];
    },
  };
}

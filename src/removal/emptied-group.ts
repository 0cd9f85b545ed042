/** A resource group that was made for a set of identities: it goes when nothing is left in it, and never takes anything along. */
import type { Azure } from "../azure/azure.js";
import { finish, found, pollInterval } from "../azure/long-running.js";
import { all } from "../azure/pages.js";
import type { Removal, StepIo } from "../engine/step.js";
import { Failure } from "../errors/failure.js";
import { ownedBy, type Owner } from "../infra/ownership.js";
import { idKey } from "../infra/resource-id.js";
import type { Kept } from "./inventory.js";

export interface EmptiedGroup {
  readonly id: string;
  readonly name: string;
}

/** What is to be done about a group: removed, kept for a reason, or nothing because it is not there. */
export interface GroupVerdict {
  readonly group?: EmptiedGroup;
  readonly kept?: Kept;
}

/** `goes` tells of an id whether it is removed before the group. */
export async function judgeGroup(azure: Azure, name: string, owner: Owner, goes: (id: string) => boolean): Promise<GroupVerdict> {
  const { resourceGroups } = await azure.resources();
  const live = await found(resourceGroups.get(name));
  if (live?.id === undefined) return {};
  if (ownedBy(live.tags, owner) !== "ours") return { kept: { id: live.id, why: "brought: the group was not made by aro-hcp" } };
  const others = (await contentsOf(azure, name)).filter((id) => !goes(id));
  if (others.length > 0) return { kept: { id: live.id, why: `it still holds ${others.join(", ")}` } };
  return { group: { id: live.id, name: live.name ?? name } };
}

export function emptiedGroupRemoval(azure: Azure, { id, name }: EmptiedGroup, after: readonly string[]): Removal {
  return {
    id: idKey(id),
    title: `resource group ${name}`,
    resourceId: id,
    after,
    async remove(io) {
      const { resourceGroups } = await azure.resources();
      await untilEmpty(azure, name, io);
      await found(finish(azure, pollInterval.resourceGroup, (options) => resourceGroups.beginDelete(name, options)));
    },
  };
}

/** Azure's lists go on showing for a while what is gone. */
async function untilEmpty(azure: Azure, name: string, { note, signal }: StepIo): Promise<void> {
  for (let tries = 1; ; tries++) {
    const left = await contentsOf(azure, name);
    if (left.length === 0) return;
    if (tries === 12) {
      throw new Failure("ARO-OWN-004", `resource group "${name}" was given something new while it was being emptied`, {
        because: left.join(", "),
        next: ["run the same command again: it is looked at anew"],
      });
    }
    note("waiting until the group is empty");
    await azure.connection.pace.sleep(5000, signal);
  }
}

async function contentsOf(azure: Azure, name: string): Promise<string[]> {
  const { resources } = await azure.resources();
  const listed = (await found(all(resources.listByResourceGroup(name)))) ?? [];
  return listed.flatMap(({ id }) => id ?? []);
}

/** The network security group of a cluster without an existing one. */
import type { NetworkSecurityGroup, SecurityRule, Subnet } from "@azure/arm-network";
import type { Azure } from "../../azure/azure.js";
import { expectedDuration } from "../../azure/expected-durations.js";
import { finish, found } from "../../azure/long-running.js";
import type { InfraNames } from "../../domain/names.js";
import { ownershipTags } from "../../domain/ownership.js";
import { resourceTypes } from "../../domain/resource-types.js";
import type { Step } from "../../engine/step.js";
import { ifUnchanged } from "../../steps/conditional-write.js";
import { defineInGroup } from "../../steps/in-group.js";
import type { InfraStepSpec } from "../../steps/lost-tags.js";
import { decideOwned } from "../../steps/ownership-decision.js";
import type { GroupOutput } from "../../steps/resource-groups.js";

export interface NetworkSecurityGroupOutput {
  readonly id: string;
}

/** Created empty: the cloud provider adds its rules later, and no run may remove them. */
export function networkSecurityGroup(
  azure: Azure,
  spec: InfraStepSpec,
  names: InfraNames,
  group: Step<GroupOutput>,
): Step<NetworkSecurityGroupOutput> {
  const name = names.nsg;
  const wanted: NetworkSecurityGroup = { location: spec.location, tags: ownershipTags(spec.cluster) };
  return defineInGroup({
    row: resourceTypes.networkSecurityGroup,
    lostTags: spec.lostTags,
    names: [name],
    needs: { group },
    read: async ({ group: { name: groupName } }) => found((await azure.network()).networkSecurityGroups.get(groupName, name)),
    wanted: () => wanted,
    decide: (live) =>
      decideOwned(live, { row: resourceTypes.networkSecurityGroup, name, owner: spec.cluster, location: spec.location }, () => []),
    async apply(live, { group: { name: groupName } }): Promise<NetworkSecurityGroup> {
      const { networkSecurityGroups } = await azure.network();
      const whole = live === undefined ? wanted : { ...live, securityRules: (live.securityRules ?? []).map(writable) };
      return finish(azure, expectedDuration("PUT", resourceTypes.networkSecurityGroup.type), (options) =>
        networkSecurityGroups.beginCreateOrUpdate(groupName, name, whole, ifUnchanged(live?.etag, options)),
      );
    },
    output: (id) => ({ id }),
  });
}

/** The resource without the properties that Azure does not accept in a write. */
export function writable<Part extends Subnet | SecurityRule>({ type: _readOnly, ...part }: Part): Omit<Part, "type"> {
  return part;
}

/** Application security groups: names for sets of interfaces, which rules refer to. They have no effect. */
import type { z } from "zod";
import { ApiError } from "../../../core/service.js";
import { defineType } from "../../resource-type.js";
import { known, networkNames } from "../../body-schema.js";
import { directUsersOf } from "../../uses.js";
import { networkDelete, networkPut, networkReadOnly, trackedMembers, trackedType } from "./resource.js";

const body = known({ ...trackedMembers, properties: known({}, ["provisioningState", "resourceGuid"]).prefault({}) }, networkReadOnly);

export const applicationSecurityGroups = defineType<z.output<typeof body>>({
  name: "Microsoft.Network/applicationSecurityGroups",
  ...trackedType,
  ...networkNames(1, 80),
  body,
  latency: { put: "nsg.put", ended: "network.put", delete: "nsg.delete" },
  put: networkPut("PutApplicationSecurityGroupOperation", 10, 10),
  delete: networkDelete("DeleteApplicationSecurityGroupOperation", 10),
  lock: { on: "self", second: "exclusive" },
  deletable(state, { id }) {
    const [user] = directUsersOf(state, id);
    if (user === undefined) return;
    throw new ApiError(
      400,
      "InUseApplicationSecurityGroupCannotBeDeleted",
      `Application security group ${id} cannot be deleted because it is in use by ${user.from}.`,
    );
  },
});

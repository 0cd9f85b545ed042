/** The container of an issuer, with public read access to blobs but not to lists. */
import type { BlobContainer } from "@azure/arm-storage";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { containerMark, type IssuerSpec } from "../../domain/issuer.js";
import { titleOf } from "../../domain/resource-catalogue.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { mergedTags, tagValue } from "../../domain/tags.js";
import { defineStep, type Change, type Step } from "../../engine/step.js";
import type { GroupOutput } from "../../steps/resource-groups.js";
import type { AccountOutput } from "./storage-account.js";

const { blobContainer: row } = resourceTypes;

export function publicContainer(azure: Azure, spec: IssuerSpec, group: Step<GroupOutput>, account: Step<AccountOutput>): Step<void> {
  const { container: name, account: accountName } = spec;
  return defineStep({
    id: row.use.step,
    title: titleOf(row, name),
    subject: { kind: "resource", type: row.type },
    resourceId: account.resourceId && `${account.resourceId}/blobServices/default/containers/${name}`,
    needs: { group, account },
    within: "account",
    read: async ({ group: { name: groupName } }) => found((await azure.storage()).blobContainers.get(groupName, accountName, name)),
    decide(live) {
      if (!live) return { act: "create" };
      const changes = containerChanges(live, spec);
      // Its account is owned, so the container is too.
      return changes.length === 0 ? { act: "keep" } : { act: "update", why: "it differs", changes };
    },
    async apply(live, { group: { name: groupName } }): Promise<BlobContainer> {
      const { blobContainers } = await azure.storage();
      const wanted = { publicAccess: "Blob", metadata: mergedTags(live?.metadata, { [containerMark]: spec.owner.identitySet }) } as const;
      await (live ? blobContainers.update : blobContainers.create)(groupName, accountName, name, wanted);
      return { ...live, ...wanted };
    },
    predict: () => undefined,
    output: () => undefined,
  });
}

function containerChanges({ publicAccess, metadata }: BlobContainer, { owner }: IssuerSpec): Change[] {
  const mark = tagValue(metadata, containerMark);
  return [
    ...(publicAccess === "Blob" ? [] : [{ path: "publicAccess", from: publicAccess ?? "None", to: "Blob" }]),
    ...(mark === owner.identitySet ? [] : [{ path: `metadata.${containerMark}`, from: mark, to: owner.identitySet }]),
  ];
}

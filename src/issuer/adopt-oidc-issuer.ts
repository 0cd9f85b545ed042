/** `adopt oidc-issuer`: finds what ccoctl created, shows what proves it, confirms, and adds the ownership tags. */
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { ccoctlTag } from "../domain/ccoctl.js";
import { containerMark, issuerContainerName } from "../domain/issuer.js";
import type { IdentitySet } from "../domain/ownership.js";
import { titleOf } from "../domain/resource-catalogue.js";
import { resourceTypes } from "../domain/resource-types.js";
import { createdGroupTags, setAccountTags } from "../domain/set-ownership.js";
import { mergedTags, tagValue } from "../domain/tags.js";
import { defineStep, type Step } from "../engine/step.js";
import { Failure } from "../errors/failure.js";
import { applyGraph } from "../run/apply.js";
import { confirmByTyping } from "../run/consent.js";
import { lockPreflight } from "../run/create-preflight.js";
import type { ProcessPort } from "../run/process-port.js";
import { targetOf } from "../run/target.js";
import { withConnection } from "../run/with-connection.js";
import type { Resolved } from "../settings/settings.js";
import { adoptionStep } from "../steps/adoption.js";
import { plural } from "../text/plural.js";
import { findCcoctlIssuer, usedByOthers, type CcoctlIssuer, type CcoctlPlace } from "./ccoctl-issuer.js";
import { issuerGroupOf } from "./inputs.js";

const command = "adopt oidc-issuer";

export async function run({ settings: given, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const settings = { ...given, name: given.identitiesName };
  const { name, storageAccountName: accountName, blobContainerName } = settings;
  const consentTo = `adopting the issuer of ${name}`;
  return withConnection({ ...settings, command, consentTo }, notices, port, async (azure, context) => {
    const place: CcoctlPlace = {
      ...{ name, accountName, groupName: issuerGroupOf(settings) },
      containerName: blobContainerName ?? issuerContainerName(name),
    };
    const issuer = await findCcoctlIssuer(azure, place);
    if (issuer === undefined) throw nothingFound(place, azure.connection.subscriptionId);
    const used = await usedByOthers(azure, name, issuer);
    if (used) throw used;
    if (issuer.others.length > 0) {
      const one = issuer.others.length === 1;
      context.say(
        `notice: ${plural(issuer.others.length, "resource")} in the same group ${one ? "is" : "are"} not of ccoctl's ${name} and will not be adopted: ${issuer.others.join(", ")}`,
      );
    }
    const adopted = new Set<string>();
    const { code } = await applyGraph(azure, context, settings, {
      command,
      subject: name,
      about: { name },
      target: targetOf(azure, { identitySet: name }),
      steps: stepsOf(azure, name, issuer),
      preflight: lockPreflight(azure),
      confirm: (asking, target) => confirmByTyping(name, "the adoption", asking, target),
      onDone: ({ resourceId = "" }) => void adopted.add(resourceId),
      document: () => ({ adopted: [...adopted].toSorted(), notAdopted: issuer.others }),
    });
    return code;
  });
}

function stepsOf(azure: Azure, name: string, { group, groupName, account, containers, identities }: CcoctlIssuer): Step<unknown>[] {
  const owner: IdentitySet = { identitySet: name };
  const place = { subscriptionId: azure.connection.subscriptionId, groupName, name };
  const tagged = `its tag ${ccoctlTag}${name} says that ccoctl created it`;
  const published = containers.flatMap(({ url, kids }) => (kids === undefined ? [] : [`it publishes ${url} with key ${kids.join(", ")}`]));
  return [
    ...(group
      ? [
          adoptionStep(azure, owner, {
            ...group,
            row: resourceTypes.resourceGroup,
            evidence: tagged,
            wanted: createdGroupTags(owner, group.name),
          }),
        ]
      : []),
    adoptionStep(azure, owner, {
      ...{ ...account, row: resourceTypes.storageAccount, wanted: setAccountTags(place, account.name) },
      evidence: [tagged, ...published].join("; "),
    }),
    ...containers.map((container) => markedContainer(azure, owner, { groupName, account, container: container.name })),
    ...identities.map((one) =>
      adoptionStep(azure, owner, { ...one, row: resourceTypes.managedIdentity, evidence: `${tagged}; it trusts no other issuer` }),
    ),
  ];
}

interface Marked {
  readonly groupName: string;
  readonly account: { readonly id: string; readonly name: string };
  readonly container: string;
}

/** A container has no tags, and keeps its access: a create corrects that. */
function markedContainer(azure: Azure, { identitySet }: IdentitySet, { groupName, account, container }: Marked): Step<unknown> {
  const { blobContainer: row } = resourceTypes;
  return defineStep({
    id: `${row.use.step}-${container}`,
    title: titleOf(row, container),
    subject: { kind: "resource", type: row.type },
    resourceId: `${account.id}/blobServices/default/containers/${container}`,
    needs: {},
    read: async () => found((await azure.storage()).blobContainers.get(groupName, account.name, container)),
    decide(live) {
      if (live === undefined) {
        const failure = new Failure("ARO-OWN-003", `container "${container}" was deleted in the meantime`, { next: ["rerun the command"] });
        return { act: "refuse", failure };
      }
      const mark = tagValue(live.metadata, containerMark);
      if (mark === identitySet) return { act: "keep" };
      if (mark !== undefined) {
        const failure = new Failure("ARO-OWN-001", `container "${container}" has a different owner`, {
          because: `its metadata names ${mark}`,
        });
        return { act: "refuse", failure };
      }
      return {
        act: "update",
        why: "it gets the mark of its owner",
        changes: [{ path: `metadata.${containerMark}`, from: mark, to: identitySet }],
      };
    },
    async apply(live) {
      const { blobContainers } = await azure.storage();
      return blobContainers.update(groupName, account.name, container, {
        metadata: mergedTags(live?.metadata, { [containerMark]: identitySet }),
      });
    },
    predict: () => undefined,
    output: () => undefined,
  });
}

function nothingFound({ name, groupName }: CcoctlPlace, subscriptionId: string): Failure {
  return new Failure("ARO-USAGE-001", `no issuer of ccoctl's ${name} was found in resource group "${groupName}"`, {
    because: `no storage account there has the tag ${ccoctlTag}${name}=owned, in subscription ${subscriptionId}`,
    next: ["check --identities-name, which is the --name of ccoctl, --oidc-resource-group-name and --subscription"],
  });
}

/** `adopt iam`: finds the workload identities of a cluster by their names, confirms, and adds the ownership tag to them. */
import { listContents } from "../azure/group-contents.js";
import type { IamPlace } from "./spec.js";
import { resourceTypes } from "../domain/resource-types.js";
import { Failure } from "../errors/failure.js";
import { namedIn } from "./removal.js";
import { adoptionStep } from "../steps/adoption.js";
import type { Resolved } from "../settings/settings.js";
import { iamPlace } from "./inputs.js";
import { applyGraph } from "../run/apply.js";
import { confirmByTyping } from "../run/consent.js";
import { lockPreflight } from "../run/create-preflight.js";
import { targetOf } from "../run/target.js";
import { withConnection } from "../run/with-connection.js";
import type { ProcessPort } from "../run/process-port.js";

const command = "adopt iam";

export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { name, infraId } = settings;
  return withConnection({ ...settings, command, consentTo: `adopting ${infraId}` }, notices, port, async (azure, context) => {
    const place = iamPlace(settings, azure);
    const named = namedIn(place, await listContents(azure, place.groupName));
    if (named.length === 0) throw nothingFound(place);
    const adopted = new Set<string>();
    const { code } = await applyGraph(azure, context, settings, {
      command,
      subject: infraId,
      about: { infraId, name },
      target: targetOf(azure, { cluster: name, infraId }),
      steps: named.map((one) => adoptionStep(azure, { iam: place.cluster }, { ...one, row: resourceTypes.managedIdentity })),
      preflight: lockPreflight(azure),
      confirm: (asking, target) => confirmByTyping(infraId, "the adoption", asking, target),
      onDone: ({ resourceId = "" }) => void adopted.add(resourceId),
      document: () => ({ adopted: [...adopted].toSorted() }),
    });
    return code;
  });
}

function nothingFound({ cluster: { name, infraId }, groupName, subscriptionId }: IamPlace): Failure {
  return new Failure("ARO-USAGE-001", `no workload identity of cluster ${name}/${infraId} was found in resource group "${groupName}"`, {
    because: `no managed identity there has a name of this cluster, in subscription ${subscriptionId}`,
    next: ["check --name, --infra-id, --persistent-resource-group-name and --subscription"],
  });
}

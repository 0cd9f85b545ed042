/** A create keeps an existing KMS identity in its files, unless --no-enable-kms turns it off: without it, a HostedCluster loses its encryption. */
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { controlPlaneComponents } from "../../domain/components.js";
import type { IamPlace } from "../../iam/spec.js";
import { applicationUniqueName } from "../../domain/identity-names.js";
import type { IdentitySetKey } from "../../domain/identity-spec.js";
import { ownWorkloadIdentity, workloadIdentityName } from "../../domain/workload-names.js";
import type { Resolved } from "../../settings/settings.js";
import { isGiven } from "./option-record.js";

type Creates = "create all" | "create identities" | "create iam";

interface Existing {
  /** Of what is created: "identity set demo". */
  readonly title: string;
  hasKms(): Promise<boolean>;
}

/** The value of --enable-kms. `say` reports if it is kept. */
export async function keptKms(
  resolved: Pick<Resolved<Creates>, "settings" | "origins">,
  { title, hasKms }: Existing,
  say: (text: string) => void,
): Promise<boolean> {
  const { enableKms } = resolved.settings;
  if (enableKms || isGiven(resolved, "enableKms") || !(await hasKms())) return enableKms;
  say(`notice: ${title} keeps settings that it was created with: --enable-kms`);
  return true;
}

const kms = controlPlaneComponents.filter(({ field }) => field === "kms");

export function existingSet(azure: Azure, set: IdentitySetKey): Existing {
  return {
    title: `identity set ${set.name}`,
    async hasKms() {
      const directory = await azure.directory();
      const applications = await Promise.all(kms.map((component) => directory.application(applicationUniqueName(set, component))));
      return applications.some((application) => application !== undefined);
    },
  };
}

export function existingIam(azure: Azure, { cluster, groupName }: IamPlace): Existing {
  return {
    title: cluster.infraId,
    async hasKms() {
      const { userAssignedIdentities } = await azure.identities();
      const identities = await Promise.all(
        kms.map((component) => found(userAssignedIdentities.get(groupName, workloadIdentityName(cluster, component)))),
      );
      return identities.some(
        (one) => ownWorkloadIdentity(cluster, { name: one?.name ?? "", ...(one?.tags && { tags: one.tags }) }) !== undefined,
      );
    },
  };
}

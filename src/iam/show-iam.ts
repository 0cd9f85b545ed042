/** `show iam`: the state and drift of the workload identities of a cluster and of their federated identity credentials. */
import type { Azure } from "../azure/azure.js";
import { listContents } from "../azure/group-contents.js";
import { found } from "../azure/long-running.js";
import { all } from "../azure/pages.js";
import { advise, aroHcp, blank } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import type { IamPlace } from "./spec.js";
import { namedIn, type NamedIdentity } from "./removal.js";
import { noSuchIam } from "./not-found.js";
import { iamGraph } from "./steps.js";
import type { Resolved } from "../settings/settings.js";
import { iamPlace, workloadComponents } from "./inputs.js";
import { planGraph } from "../run/plan-graph.js";
import { showResources } from "../run/show-resources.js";
import { inLocationOfGroup } from "../run/location.js";
import { withConnection } from "../run/with-connection.js";
import type { ProcessPort } from "../run/process-port.js";

const command = "show iam";

export async function run(given: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { name, infraId, concurrency } = given.settings;
  return withConnection({ ...given.settings, command }, given.notices, port, async (azure, context) => {
    const place = iamPlace(given.settings, azure);
    const { settings } = await inLocationOfGroup(given, azure, place.groupName);
    const { location } = settings;
    const named = namedIn(place, await listContents(azure, place.groupName));
    if (named.length === 0) throw await noIdentities(azure, place);
    // Without a credential, no URL changes what is shown.
    const issuerUrl = settings.oidcIssuerUrl ?? (await trustedIssuer(azure, place, named)) ?? "";
    const hasKms = settings.enableKms || named.some(({ component }) => component.field === "kms");
    const { steps } = iamGraph(azure, { ...place, location, issuerUrl, components: workloadComponents(hasKms) });
    return showResources(await planGraph(steps, concurrency, context), { command, about: { infraId, name }, settings }, context);
  });
}

async function noIdentities(azure: Azure, place: IamPlace): Promise<Failure> {
  const { cluster, groupName } = place;
  const create = aroHcp("create iam", { ...cluster, persistentResourceGroupName: groupName, oidcIssuerUrl: blank("oidc-issuer-url") });
  return new Failure("ARO-USAGE-001", `no workload identity of cluster ${cluster.name}/${cluster.infraId} was found`, {
    because: await noSuchIam(azure, place),
    next: ["check --name, --infra-id, --persistent-resource-group-name and --subscription", advise`or create them: ${create}`],
  });
}

/** The issuer of most of the credentials; undefined without any. */
async function trustedIssuer(azure: Azure, { groupName }: IamPlace, named: readonly NamedIdentity[]): Promise<string | undefined> {
  const { federatedIdentityCredentials } = await azure.identities();
  const lists = await Promise.all(
    named.map(async ({ name }) => (await found(all(federatedIdentityCredentials.list(groupName, name)))) ?? []),
  );
  const counts = new Map<string, number>();
  for (const { issuer = "" } of lists.flat()) counts.set(issuer, (counts.get(issuer) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}

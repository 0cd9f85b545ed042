/** The command that removes a candidate, or fixes it. */
import { aroHcp, shell, type Command } from "../errors/advice.js";
import { parseResourceId } from "../domain/resource-id.js";
import { verdictOf, type Candidate } from "./domain/candidate.js";

export function removalCommand(candidate: Candidate, givenInfraIds: readonly string[]): Command {
  const { kind, id, owner = "", purgeAs, cluster, appId = "" } = candidate;
  if (verdictOf(candidate) === "sweep") {
    const isGiven = givenInfraIds.includes(owner);
    return aroHcp("sweep", { ...(purgeAs !== undefined && { purgeNames: [purgeAs] }), ...(isGiven && { infraIds: [owner] }) });
  }
  const { subscriptionId, name } = parseable(id) ? parseResourceId(id) : { subscriptionId: "", name: "" };
  switch (kind) {
    case "role-assignments":
      return shell`az role assignment delete --ids ${id}`;
    case "resource-groups":
      if (cluster !== undefined) return aroHcp("destroy infra", { ...cluster });
      return shell`az group delete --name ${name} --subscription ${subscriptionId}`;
    case "dns-zones":
      return cluster === undefined ? shell`az resource delete --ids ${id}` : aroHcp("destroy infra", { ...cluster });
    case "applications":
      return shell`az ad app delete --id ${appId}`;
    case "deleted-applications":
      return shell`az rest --method DELETE --url ${`https://graph.microsoft.com/v1.0/directory/deletedItems/${id}`}`;
    case "deleted-vaults":
      return shell`az keyvault purge --name ${purgeAs ?? name} --subscription ${subscriptionId}`;
    case "oidc-issuers":
      return aroHcp("destroy oidc-issuer", { name: owner });
    case "credentials":
      return aroHcp("rotate credentials", { identitiesName: owner });
    case "delegations":
      return shell`az network dns record-set ns delete --ids ${id}`;
  }
}

function parseable(id: string): boolean {
  return id.startsWith("/subscriptions/");
}

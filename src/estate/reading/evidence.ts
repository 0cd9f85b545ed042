/** Reads what decides whether something is left over: principals, locks, applications, soft-deleted vaults. */
import type { DeletedVault } from "@azure/arm-keyvault";
import type { DatedApplication, DeletedApplication } from "../../azure/applications.js";
import { anyResponse, type DenyAssignmentResponse } from "../../azure/arm-responses.js";
import type { Azure } from "../../azure/azure.js";
import { deniesOn, deniesPrincipal, listDenyAssignments } from "../../azure/deny-assignments.js";
import { listLocks, type ManagementLock } from "../../azure/management-locks.js";
import { all } from "../../azure/pages.js";
import { signedIn, type SignedIn } from "../../azure/signed-in.js";
import { toFailure } from "../../azure/to-failure.js";
import { allows } from "../../domain/allowed-actions.js";
import { identitySetTag } from "../../domain/ownership.js";
import { deleteAction } from "../../domain/required-actions.js";
import { isWithin, parseResourceId } from "../../domain/resource-id.js";
import { sameText } from "../../text/same-text.js";
import type { Finding } from "../domain/finding.js";
import { findingsIn } from "../origins/findings.js";
import type { Estate, ListedSubscription, Unread } from "../domain/estate.js";
import { readPrincipals, type Principals } from "./principals.js";

/** The lists of one subscription; undefined is what could not be read. */
interface OfSubscription {
  readonly locks: readonly ManagementLock[] | undefined;
  readonly denials: readonly DenyAssignmentResponse[] | undefined;
  readonly deletedVaults: readonly DeletedVault[] | undefined;
}

export interface Evidence {
  readonly estate: Estate;
  readonly findings: readonly Finding[];
  readonly caller: SignedIn;
  readonly now: Date;
  readonly principals: Principals;
  /** Those that have the tag of an identity set; undefined if the directory could not be read. */
  readonly applications: readonly DatedApplication[] | undefined;
  readonly deletedApplications: readonly DeletedApplication[] | undefined;
  readonly unread: readonly Unread[];
  /** Whether it has all that the caller can see: nothing was unread, and no subscription left out. */
  readonly isWhole: boolean;
  subscription(id: string | undefined): ListedSubscription | undefined;
  /** Undefined in a subscription that could not be read. */
  deletedVaults(subscriptionId: string): readonly DeletedVault[] | undefined;
  /** What forbids its deletion, and what could not be read about that. */
  blocks(id: string): { readonly objections: readonly string[]; readonly unknown: readonly string[] };
}

export async function readEvidence(azure: Azure, estate: Estate, signal: AbortSignal): Promise<Evidence> {
  const unread: Unread[] = [...estate.unread];
  const read = async <T>(subscriptionId: string | undefined, what: string, list: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await list();
    } catch (error) {
      const where = subscriptionId === undefined ? "the directory" : `subscription ${subscriptionId}`;
      unread.push({
        ...(subscriptionId !== undefined && { subscriptionId }),
        failure: toFailure(error, `reading the ${what} of ${where}`),
      });
      return undefined;
    }
  };
  const [caller, now, principals, applications, deletedApplications, lists] = await Promise.all([
    signedIn(azure.connection),
    azureTime(azure),
    readPrincipals(
      azure,
      estate.assignments.map(({ principalId }) => principalId),
      signal,
    ),
    read(undefined, "applications", async () => (await azure.directory()).applicationsWithTagPrefix(`${identitySetTag}:`)),
    read(undefined, "soft-deleted applications", async () => (await azure.directory()).deletedApplications()),
    Promise.all(
      estate.subscriptions.map(async ({ id }) => {
        const [locks, denials, deletedVaults] = await Promise.all([
          read(id, "management locks", () => listLocks(azure, id)),
          read(id, "deny assignments", () => listDenyAssignments(azure, id)),
          read(id, "soft-deleted vaults", async () => all((await azure.vaults(id)).vaults.listDeleted())),
        ]);
        return [id, { locks, denials, deletedVaults } satisfies OfSubscription] as const;
      }),
    ),
  ]);
  signal.throwIfAborted();
  const bySubscription = new Map(lists);
  const subscription = (id: string | undefined) => estate.subscriptions.find((one) => sameText(one.id, id));
  return {
    estate,
    findings: findingsIn(estate),
    caller,
    now,
    principals,
    applications,
    deletedApplications,
    unread: [...unread, ...principals.unread],
    isWhole: estate.isAll && unread.length + principals.unread.length === 0,
    subscription,
    deletedVaults: (id) => bySubscription.get(id)?.deletedVaults,
    blocks(id) {
      const { subscriptionId } = parseResourceId(id);
      const { locks, denials } = bySubscription.get(subscriptionId.toLowerCase()) ?? {};
      return {
        objections: [
          ...(locks ?? [])
            .filter(({ scope }) => isWithin(id, scope) || isWithin(scope, id))
            .map(({ name }) => `a lock forbids it: ${name}`),
          ...(denials ?? [])
            .filter(
              (denial) =>
                deniesPrincipal(denial, caller.objectId) &&
                deniesOn(denial, id) &&
                allows(denial.properties.permissions, deleteAction(parseResourceId(id).type)),
            )
            .map(({ properties }) => `a deny assignment forbids it: ${properties.denyAssignmentName}`),
        ],
        unknown: [
          ...(locks === undefined ? ["the locks of its subscription could not be read"] : []),
          ...(denials === undefined ? ["the deny assignments of its subscription could not be read"] : []),
        ],
      };
    },
  };
}

/** Ages are by Azure's clock: that of this machine may be wrong by days. */
async function azureTime(azure: Azure): Promise<Date> {
  const { date } = await (await azure.manager()).get("/subscriptions", "2022-12-01", anyResponse);
  return date ?? azure.connection.clock.now();
}

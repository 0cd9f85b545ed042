/** When the certificates of identity sets end, from the directory: one request for fifteen sets. */
import type { Azure } from "../../azure/azure.js";
import { toFailure } from "../../azure/to-failure.js";
import { namedApplication } from "../../domain/identity-names.js";
import { identitySetTag } from "../../domain/ownership.js";
import { sameText } from "../../text/same-text.js";
import type { Finding } from "../domain/finding.js";
import type { Unread } from "../domain/estate.js";

export interface CredentialEnds {
  /** Of the set's certificate that ends first; undefined for another kind of finding, and if nothing is known. */
  of(finding: Finding): Date | undefined;
  readonly unread: readonly Unread[];
}

export async function readCredentialEnds(azure: Azure, findings: readonly Finding[], signal: AbortSignal): Promise<CredentialEnds> {
  const sets = findings.filter(({ kind, origin }) => kind === "identities" && origin === "aro-hcp");
  if (sets.length === 0) return { of: () => undefined, unread: [] };
  try {
    const names = [...new Set(sets.map(({ name }) => name))];
    const applications = await (await azure.directory()).applicationsWithTags(names.map((name) => `${identitySetTag}:${name}`));
    const ends = applications.flatMap(({ uniqueName, keyCredentials }) => {
      const set = namedApplication(uniqueName ?? "")?.set;
      // After a rotation, the old certificate is valid beside the new one for a while.
      const last = keyCredentials
        .map(({ endDateTime }) => endDateTime)
        .toSorted()
        .at(-1);
      return set === undefined || last === undefined ? [] : [{ set, ends: new Date(last) }];
    });
    return {
      of({ kind, name, subscriptionId, entries: [entry] }) {
        if (kind !== "identities") return undefined;
        const isOwn = ({ set }: (typeof ends)[number]) =>
          sameText(set.name, name) && sameText(set.subscriptionId, subscriptionId) && sameText(set.groupName, entry?.group);
        return ends
          .filter(isOwn)
          .map((one) => one.ends)
          .toSorted((a, b) => a.getTime() - b.getTime())[0];
      },
      unread: [],
    };
  } catch (error) {
    signal.throwIfAborted();
    return { of: () => undefined, unread: [{ failure: toFailure(error, "reading the applications of the identity sets") }] };
  }
}

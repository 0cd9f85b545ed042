/** The step that writes all federated identity credentials of one managed identity. */
import type { FederatedIdentityCredential } from "@azure/arm-msi";
import type { Azure } from "../azure/azure.js";
import { all } from "../azure/pages.js";
import { defineStep, type Change, type Step } from "../engine/step.js";
import { advise, withFlag } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { pluralOf, quotedTitleOf } from "../domain/resource-catalogue.js";
import { resourceTypes } from "../domain/resource-types.js";
import { plural } from "../text/plural.js";
import { idBelow } from "./in-group.js";
import type { RateLimit, ManagedIdentityOutput } from "./managed-identity.js";
import { refuse } from "./ownership-decision.js";
import type { GroupOutput } from "./resource-groups.js";

const { managedIdentity: row, federatedIdentityCredential: federated } = resourceTypes;

/** https://learn.microsoft.com/entra/workload-id/workload-identity-federation-considerations */
const mostCredentials = 20;

export interface TrustedSubject {
  readonly subject: string;
  /** The name of its credential. */
  readonly name: string;
  /** Its name if a credential for other tokens has the first one; otherwise that one is updated. */
  readonly nameBeside?: string;
}

export interface Federation {
  readonly identityName: string;
  readonly issuerUrl: string;
  readonly subjects: readonly TrustedSubject[];
  readonly audience: string;
  /** Ends the ID of the step, if a graph has several. */
  readonly purpose?: string;
}

type Credentials = readonly FederatedIdentityCredential[];

/** Credentials for other tokens stay, because the identity may serve others. `rateLimit`: see `identityWrites`. */
export function federatedCredentials(
  azure: Azure,
  { identityName, issuerUrl, subjects, audience, purpose }: Federation,
  group: Step<GroupOutput>,
  identity: Step<ManagedIdentityOutput>,
  rateLimit: RateLimit = (write) => write(),
): Step<unknown> {
  const [first] = subjects;
  // A plan with one of them shows whose tokens it trusts.
  const tokens = purpose === undefined && first ? ` for ${first.subject} of ${issuerUrl}` : "";
  // Entra compares issuer and subject exactly.
  const forTokens = (live: Credentials, subject: string) => live.find((one) => one.issuer === issuerUrl && one.subject === subject);
  const wantedFor = (subject: string) => ({ issuer: issuerUrl, subject, audiences: [audience] });
  const isTrusted = (live: Credentials, { subject }: TrustedSubject) => {
    const { audiences = [] } = forTokens(live, subject) ?? {};
    return audiences.length === 1 && audiences[0] === audience;
  };
  /** Azure accepts one credential for an issuer and subject, whatever its name. */
  const nameOf = (live: Credentials, { subject, name, nameBeside = name }: TrustedSubject) =>
    forTokens(live, subject)?.name ?? (live.some((one) => one.name === name) ? nameBeside : name);
  const untrusted = (live: Credentials) => subjects.filter((one) => !isTrusted(live, one));
  return defineStep({
    id: purpose === undefined ? federated.use.step : `${federated.use.step}-${purpose}`.toLowerCase(),
    title: `${subjects.length === 1 ? federated.label : pluralOf(federated)} of ${identityName}${tokens}`,
    subject: { kind: "resource", type: federated.type },
    // That of the first one: locks and permissions are those of the identity.
    resourceId: idBelow(group, federated.type, identityName, first?.name ?? ""),
    needs: { group, identity },
    within: "identity",
    async read({ group: { name: groupName } }): Promise<Credentials> {
      const { federatedIdentityCredentials } = await azure.identities();
      return all(federatedIdentityCredentials.list(groupName, identityName));
    },
    decide(live = []) {
      const left = untrusted(live);
      if (left.length === 0) return { act: "keep" };
      const existing = left.filter((one) => live.some(({ name }) => name === nameOf(live, one)));
      const count = live.length + left.length - existing.length;
      if (count > mostCredentials) {
        return refuse("ARO-SUB-002", `${quotedTitleOf(row, identityName)} has ${String(live.length)} ${pluralOf(federated)} already`, {
          because: `Azure allows ${String(mostCredentials)}`,
          next: [
            advise`delete those of issuers that no longer exist${withFlag("--identities-name", ", or create another identity set with a different --identities-name")}`,
          ],
        });
      }
      if (existing.length === 0) return { act: "create", why: whyCreate(left.length, subjects.length) };
      return {
        act: "update",
        why: "it trusts other tokens",
        changes: left.flatMap((one) => changesTo(live, nameOf(live, one), wantedFor(one.subject))),
      };
    },
    async apply(live = [], { group: { name: groupName } }): Promise<Credentials> {
      const { federatedIdentityCredentials } = await azure.identities();
      let written = live;
      // One after another: Azure rejects two writes to one identity at once.
      for (const one of untrusted(live)) {
        const name = nameOf(written, one);
        const created = await rateLimit(() =>
          federatedIdentityCredentials.createOrUpdate(groupName, identityName, name, wantedFor(one.subject)),
        );
        written = [...written.filter((other) => other.name !== name), created];
      }
      if (untrusted(written).length > 0) {
        throw new Failure("ARO-BUG-001", `the ${pluralOf(federated)} of ${identityName} differ from what was written`);
      }
      return written;
    },
    output: () => undefined,
  });
}

function whyCreate(left: number, all: number): string {
  return left === all ? "it does not trust this issuer" : `it does not trust ${plural(left, "service account")} of this issuer`;
}

function changesTo(live: Credentials, name: string, wanted: { issuer: string; subject: string; audiences: string[] }): Change[] {
  const found = live.find((one) => one.name === name);
  return (["issuer", "subject", "audiences"] as const)
    .map((key) => ({ path: `federatedIdentityCredentials[${name}].${key}`, from: found?.[key], to: wanted[key] }))
    .filter(({ from, to }) => String(from) !== String(to));
}

/** `verify estate`: the verification of each cluster that aro-hcp made is a check of the estate. */
import { advise, aroHcp, type OwnCommand, type RenderAdvice } from "../errors/advice.js";
import { exitCodes } from "../errors/exit-codes.js";
import { Failure } from "../errors/failure.js";
import { failureJson, type FailureJson } from "../errors/format.js";
import { arcNames } from "../domain/arc-names.js";
import { groupNameOf } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import type { ShownResult } from "../render/verification-text.js";
import { withSharedEmulator } from "../run/connect.js";
import type { OtherCommand, RunOther } from "../run/other-command.js";
import { runPartVerifications, type PartEnd, type VerifiedPart } from "../run/part-verification.js";
import type { ProcessPort } from "../run/process-port.js";
import { listIn, runQuietly } from "../run/quiet-run.js";
import { withConnection } from "../run/with-connection.js";
import type { Resolved } from "../settings/settings.js";
import { sameText } from "../text/same-text.js";
import { checkCatalogue, error, warning } from "../verify/check.js";
import { isType, type Unread } from "./domain/estate.js";
import { countsOf, kindLabels, nameOf, verifiedKinds, type Finding, type VerifiedKind } from "./domain/finding.js";
import { findingsIn } from "./origins/findings.js";
import { readEstate } from "./reading/read-estate.js";

const command = "verify estate";

const estateChecks = checkCatalogue({
  "estate-part-works": error("no check of its own verification fails"),
  "estate-part-without-warnings": warning("its own verification has no warnings"),
});
const checks = { works: estateChecks["estate-part-works"], warnings: estateChecks["estate-part-without-warnings"] };

/** How each kind is verified, by its name and place alone: identity sets and issuers need the files of their create. */
const verifications: Readonly<Record<VerifiedKind, (finding: Finding) => OwnCommand>> = {
  clusters: (found) => aroHcp("verify infra", { name: found.name, infraId: found.infraId, subscription: found.subscriptionId }),
  "management-clusters": (found) => aroHcp("verify management-cluster", placeOf(found, found.name)),
  "service-clusters": (found) => aroHcp("verify service-cluster", placeOf(found, found.name)),
  arc: (found) => aroHcp("verify arc", placeOf(found, arcNames(found.name).group)),
};

/** The group is passed if it is not the usual one. */
function placeOf({ name, entries, subscriptionId: subscription }: Finding, usual: string) {
  const [group = usual] = entries.flatMap((entry) => (isType(entry, resourceTypes.resourceGroup) ? [] : (groupNameOf(entry.id) ?? [])));
  return { name, subscription, ...(!sameText(group, usual) && { resourceGroupName: group }) };
}

/** `argument`: the kind to verify; all by default. */
export async function run(
  resolved: Resolved<typeof command>,
  port: ProcessPort,
  argument: string | undefined,
  { runOther }: { readonly runOther: RunOther },
): Promise<number> {
  const { settings, notices } = resolved;
  const { cloud, azureCreds } = settings;
  const connection = { subscription: undefined, subscriptionOptional: true } as const;
  const work = (shared: ProcessPort) =>
    withConnection({ ...settings, command, ...connection }, notices, shared, async (azure, context) => {
      const estate = await readEstate(azure, settings.subscriptions, context.signal);
      const wanted = verifiedKinds.filter((kind) => argument === undefined || kind === argument);
      const own = findingsIn(estate).filter(({ origin, kind }) => origin === "aro-hcp" && wanted.some((one) => one === kind));
      if (own.length === 0 && estate.unread.length === 0) throw nothingFound(wanted);
      const verify = async ({ run: other, settings: flags }: OwnCommand): Promise<PartEnd> => {
        const { code, document } = await runQuietly({
          command: other as OtherCommand["command"],
          flags: { cloud, ...(azureCreds !== undefined && { azureCreds }), ...(flags as OtherCommand["flags"]) },
          config: { value: {}, at: () => "" },
          ...{ port: shared, runOther, signal: context.signal, onText: () => undefined },
        });
        return { code, failures: listIn<FailureJson>(document, "failures"), checks: listIn<ShownResult>(document, "results") };
      };
      const parts = own.map((found): VerifiedPart => {
        const verification = verifications[found.kind as VerifiedKind](found);
        return {
          name: titleIn(found, own),
          elsewhere: advise`${verification} shows each check`,
          async verify() {
            const end = await verify(verification);
            return end.code === exitCodes.usage ? incomplete(found, end) : end;
          },
        };
      });
      return runPartVerifications(context, {
        ...{ command, settings, checks },
        about: countsOf(own),
        parts: [...parts, ...estate.unread.map((one) => unreadPart(one, context.renderAdvice))],
      });
    });
  return cloud === "local" ? withSharedEmulator(port, work) : work(port);
}

/** "cluster demo/x7k2", with its place if another one has this name. */
function titleIn(found: Finding, all: readonly Finding[]): string {
  const title = (one: Finding) => `${kindLabels[one.kind]} ${nameOf(one)}`;
  const [entry] = found.entries;
  const isAlone = all.every((one) => one === found || title(one) !== title(found));
  return isAlone || entry === undefined ? title(found) : `${title(found)} in ${entry.id}`;
}

/** It lacks a setting that a tag of a missing resource would have: nobody has set anything wrong. */
function incomplete({ missing }: Finding, { failures }: PartEnd): PartEnd {
  if (missing.length === 0) return { code: exitCodes.broken, failures, checks: [] };
  const next = "create it again to complete it, or destroy what is left";
  const result = {
    check: "resource-exists",
    state: "failed",
    sentence: "the resource exists",
    evidence: "it does not exist",
    next,
  } as const;
  return { code: exitCodes.broken, failures: [], checks: missing.map((subject) => ({ ...result, subject })) };
}

/** What could not be read may have clusters. */
function unreadPart({ failure }: Unread, renderAdvice: RenderAdvice): VerifiedPart {
  const end = { code: exitCodes.incomplete, failures: [failureJson(failure, renderAdvice)], checks: [] };
  return { name: failure.message, elsewhere: "what is in it is unknown", verify: () => Promise.resolve(end) };
}

function nothingFound(wanted: readonly VerifiedKind[]): Failure {
  const labels = wanted.map((kind) => kindLabels[kind]);
  return new Failure("ARO-USAGE-001", `no ${labels.join(", ")} of aro-hcp was found`, {
    next: [advise`${aroHcp("list")} shows what exists`, advise`identity sets need their files: ${aroHcp("verify identities", {})}`],
  });
}

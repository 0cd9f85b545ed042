/** `verify estate`: the verification of each cluster and zone that aro-hcp made is a check of the estate. */
import { advise, aroHcp, type OwnCommand } from "../errors/advice.js";
import { exitCodes, worstCode } from "../errors/exit-codes.js";
import { Failure } from "../errors/failure.js";
import type { FailureJson } from "../errors/format.js";
import { arcNames } from "../domain/arc-names.js";
import { groupNameOf } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { junitMembers } from "../render/junit.js";
import type { ShownResult } from "../render/verification-text.js";
import { withSharedEmulator } from "../run/connect.js";
import type { OtherCommand, RunOther } from "../run/other-command.js";
import { partInstances, type PartEnd } from "../run/part-verification.js";
import type { ProcessPort } from "../run/process-port.js";
import { listIn, runQuietly } from "../run/quiet-run.js";
import { runVerification } from "../run/verification.js";
import { withConnection } from "../run/with-connection.js";
import type { Resolved } from "../settings/settings.js";
import { sameText } from "../text/same-text.js";
import { checkCatalogue, error, warning } from "../verify/check.js";
import { isType } from "./domain/estate.js";
import { countsOf, kindLabels, nameOf, verifiedKinds, type Finding } from "./domain/finding.js";
import { findingsIn } from "./origins/findings.js";
import { readEstate } from "./reading/read-estate.js";
import { showUnread } from "./unread.js";

const command = "verify estate";

const estateChecks = checkCatalogue({
  "estate-part-works": error("no check of its own verification fails"),
  "estate-part-without-warnings": warning("its own verification has no warnings"),
});
const checks = { works: estateChecks["estate-part-works"], warnings: estateChecks["estate-part-without-warnings"] };

/** How each kind is verified, by its name and place alone: identity sets and issuers need the files of their create. */
const verifications: Readonly<Record<(typeof verifiedKinds)[number], (finding: Finding) => OwnCommand>> = {
  clusters: ({ name, infraId }) => aroHcp("verify infra", { name, infraId }),
  "management-clusters": (found) => aroHcp("verify management-cluster", placeOf(found, found.name)),
  "service-clusters": (found) => aroHcp("verify service-cluster", placeOf(found, found.name)),
  arc: (found) => aroHcp("verify arc", placeOf(found, arcNames(found.name).group)),
};

/** The group is passed if it is not the usual one. */
function placeOf({ name, entries }: Finding, usual: string): { readonly name: string; readonly resourceGroupName?: string } {
  const [group = usual] = entries.flatMap((entry) => (isType(entry, resourceTypes.resourceGroup) ? [] : (groupNameOf(entry.id) ?? [])));
  return { name, ...(!sameText(group, usual) && { resourceGroupName: group }) };
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
  const work = (shared: ProcessPort) =>
    withConnection(
      { ...settings, command, subscription: undefined, subscriptionOptional: true },
      notices,
      shared,
      async (azure, context) => {
        const { signal } = context;
        const estate = await readEstate(azure, settings.subscriptions, signal);
        const parts = findingsIn(estate)
          .filter(({ origin }) => origin === "aro-hcp")
          .flatMap((found) => {
            const kind = verifiedKinds.find((one) => one === found.kind && (argument === undefined || one === argument));
            if (kind === undefined) return [];
            const where = estate.subscriptions.length === 1 ? "" : ` in ${found.subscriptionId}`;
            return [{ found, verification: verifications[kind](found), name: `${kindLabels[kind]} ${nameOf(found)}${where}` }];
          });
        const ends = new Map<string, PartEnd>();
        const instances = parts.flatMap(({ found, verification, name }) =>
          partInstances(checks, {
            name,
            elsewhere: advise`${verification} shows each check`,
            async verify() {
              const connection = { cloud, subscription: found.subscriptionId, ...(azureCreds !== undefined && { azureCreds }) };
              const { code, document } = await runQuietly({
                command: verification.run as OtherCommand["command"],
                flags: { ...connection, ...(verification.settings as OtherCommand["flags"]) },
                config: noFile,
                ...{ port: shared, runOther, signal, onText: () => undefined },
              });
              const end = { code, failures: listIn<FailureJson>(document, "failures"), checks: listIn<ShownResult>(document, "results") };
              ends.set(name, end);
              return end;
            },
          }),
        );
        if (parts.length === 0 && estate.unread.length === 0) throw nothingFound();
        if (parts.length > 0) {
          const about = countsOf(parts.map(({ found }) => found));
          const junit = () =>
            junitMembers(
              command,
              [...ends].map(([name, end]) => ({ name, ...end })),
            );
          await runVerification(context, { command, instances, about, junit, settings: { ...settings, only: [] } });
        }
        showUnread(estate.unread, context);
        const codes = [...ends.values()].map(({ code }) => code);
        return worstCode(estate.unread.length === 0 ? codes : [...codes, exitCodes.incomplete]);
      },
    );
  return cloud === "local" ? withSharedEmulator(port, work) : work(port);
}

const noFile: OtherCommand["config"] = { value: {}, at: () => "" };

function nothingFound(): Failure {
  return new Failure("ARO-USAGE-001", "nothing that aro-hcp made can be verified by its name", {
    next: [advise`${aroHcp("list")} shows what exists`, "identity sets are verified with their files"],
  });
}

/** `verify fleet`: the verification of each member is a check of the fleet. */
import type { RunOther } from "../run/other-command.js";
import { runPartVerifications } from "../run/part-verification.js";
import type { ProcessPort } from "../run/process-port.js";
import { withRunContext } from "../run/with-connection.js";
import type { Resolved } from "../settings/settings.js";
import { checkCatalogue, error, warning } from "../verify/check.js";
import { exitCodes } from "../errors/exit-codes.js";
import { membersText } from "./apply-fleet.js";
import { prepareFleet, withMembers } from "./fleet-run.js";
import { memberFiles } from "./member-run.js";

const command = "verify fleet";

const fleetChecks = checkCatalogue({
  "member-works": error("no check of its own verification fails"),
  "member-without-warnings": warning("its own verification has no warnings"),
});
const checks = { works: fleetChecks["member-works"], warnings: fleetChecks["member-without-warnings"] };

export async function run(
  resolved: Resolved<typeof command>,
  port: ProcessPort,
  names: string | undefined,
  { runOther }: { readonly runOther: RunOther },
): Promise<number> {
  const { settings, notices } = resolved;
  const prepared = await prepareFleet("verify", resolved, port, names);
  return withRunContext({ ...settings, command }, notices, port, (context) =>
    withMembers({ ...prepared, verb: "verify", resolved, dryRun: false, yes: false, port, context, runOther }, async (runOne) => {
      const { members, subject } = prepared;
      if (members.length === 0) {
        context.result.print(`no member of ${subject} is in this shard`);
        return exitCodes.done;
      }
      return runPartVerifications(context, {
        ...{ command, settings, checks },
        about: `${membersText(members)} of ${subject}`,
        parts: members.map((member) => ({
          name: member.name,
          elsewhere: `its ${memberFiles.result} has each check; verify fleet ${member.name} verifies it alone`,
          verify: () => runOne(member),
        })),
      });
    }),
  );
}

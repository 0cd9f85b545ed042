/** `verify fleet`: the verification of each member is a check of the fleet. */
import { junitMembers } from "../render/junit.js";
import type { RunOther } from "../run/other-command.js";
import { partInstances } from "../run/part-verification.js";
import type { ProcessPort } from "../run/process-port.js";
import { runVerification } from "../run/verification.js";
import { withRunContext } from "../run/with-connection.js";
import type { Resolved } from "../settings/settings.js";
import { checkCatalogue, error, warning } from "../verify/check.js";
import { exitCodes, worstCode } from "../errors/exit-codes.js";
import { membersText } from "./apply-fleet.js";
import type { Member } from "./fleet-file.js";
import { prepareFleet, withMembers, type RunOne } from "./fleet-run.js";
import { memberFiles, type MemberEnd } from "./member-run.js";

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
      const ends = new Map<Member, MemberEnd>();
      const keptRun: RunOne = async (member) => {
        const end = await runOne(member);
        ends.set(member, end);
        return end;
      };
      const { members, subject } = prepared;
      if (members.length === 0) {
        context.result.print(`no member of ${subject} is in this shard`);
        return exitCodes.done;
      }
      await runVerification(context, {
        command,
        settings: { ...settings, only: [] },
        instances: members.flatMap((member) => {
          const { name } = member;
          const elsewhere = `its ${memberFiles.result} has each check; verify fleet ${name} verifies it alone`;
          return partInstances(checks, { name, elsewhere, verify: () => keptRun(member) });
        }),
        about: `${membersText(members)} of ${subject}`,
        junit: () =>
          junitMembers(
            command,
            [...ends].map(([{ name }, { checks, failures }]) => ({ name, checks, failures })),
          ),
      });
      return worstCode([...ends.values()].map(({ code }) => code));
    }),
  );
}

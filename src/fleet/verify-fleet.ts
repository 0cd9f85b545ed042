/** `verify fleet`: the verification of each member is a check of the fleet. */
import { junitMembers } from "../render/junit.js";
import type { RunOther } from "../run/other-command.js";
import type { ProcessPort } from "../run/process-port.js";
import { runVerification } from "../run/verification.js";
import { withRunContext } from "../run/with-connection.js";
import type { Resolved } from "../settings/settings.js";
import { plural } from "../text/plural.js";
import { checkCatalogue, error, failed, passed, warning } from "../verify/check.js";
import { checkInstance, outputOf, type CheckInstance } from "../verify/check-instance.js";
import { exitCodes } from "../errors/exit-codes.js";
import { membersText } from "./apply-fleet.js";
import { worstCode } from "./exit-code.js";
import type { Member } from "./fleet-file.js";
import { isForFleet, prepareFleet, withMembers, type RunOne } from "./fleet-run.js";
import { memberFiles, type MemberEnd } from "./member-run.js";

const command = "verify fleet";

const fleetChecks = checkCatalogue({
  "member-works": error("no check of its own verification fails"),
  "member-without-warnings": warning("its own verification has no warnings"),
});

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
        instances: members.flatMap((member) => instancesOf(member, keptRun)),
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

function instancesOf(member: Member, runOne: RunOne): readonly CheckInstance[] {
  const { name } = member;
  const works = checkInstance(fleetChecks["member-works"], name, {}, async () => {
    const end = await runOne(member);
    if (end.code === exitCodes.done || end.code === exitCodes.expiring) return passed(evidenceOf(end, "passed"), end);
    return failed(evidenceOf(end, "failed"), nextOf(name, end, "failed"), { value: end });
  });
  const warnings = checkInstance(
    fleetChecks["member-without-warnings"],
    name,
    { end: outputOf<MemberEnd, string>(works.id) },
    ({ end }) => {
      const evidence = evidenceOf(end, "warning");
      return end.checks.some(({ state }) => state === "warning") ? failed(evidence, nextOf(name, end, "warning")) : passed(evidence);
    },
  );
  return [works, warnings];
}

function nextOf(name: string, { checks, failures }: MemberEnd, state: "failed" | "warning"): string {
  const found = checks.find((check) => check.state === state)?.next ?? failures[0]?.next.join("; ");
  const elsewhere = `its ${memberFiles.result} has each check; verify fleet ${name} verifies it alone`;
  return found !== undefined && isForFleet(found) ? `${found}; ${elsewhere}` : elsewhere;
}

/** Its result has all of them. */
const mostNamed = 3;

/** "2 of 40 checks failed: resource-exists of the public zone: it does not exist; ..." */
function evidenceOf({ checks, failures }: MemberEnd, state: "passed" | "failed" | "warning"): string {
  const found = checks.filter((check) => check.state === state);
  const all = plural(checks.length, "check");
  const [failure] = failures;
  if (failure !== undefined && state === "failed") return `${failure.code}: ${failure.message}`;
  if (state === "passed") return `${found.length} of ${all} passed`;
  const named = found.slice(0, mostNamed).map(({ check, subject, evidence }) => `${check} of ${subject}: ${evidence}`);
  const words = state === "failed" ? "failed" : found.length === 1 ? "is a warning" : "are warnings";
  return `${found.length} of ${all} ${words}${named.length === 0 ? "" : `: ${named.join("; ")}${found.length > mostNamed ? "; ..." : ""}`}`;
}

/** `verify identities`: every link from the identity files to a token that works, checked and told. */
import { signedIn } from "../../azure/signed-in.js";
import { toFailure } from "../../azure/to-failure.js";
import { exitCodes, type ExitCode } from "../../errors/exit-codes.js";
import { Failure } from "../../errors/failure.js";
import { checkWritable } from "../../files/write.js";
import { printDocument } from "../../render/document.js";
import { countStates, verificationText, type Counts } from "../../render/verification-text.js";
import { didYouMean } from "../../settings/did-you-mean.js";
import type { Resolved } from "../../settings/settings.js";
import { identityCheckIds } from "../../verify/identities/checks.js";
import { identityInspections } from "../../verify/identities/inspections.js";
import { runInspections } from "../../verify/run.js";
import { toldOf, withNeeds } from "../../verify/selection.js";
import { givenFiles, identityChain } from "../identity-chain.js";
import { writeReport } from "../identity-report.js";
import { inSession } from "../session.js";
import { subscriptionInFile } from "../subscription.js";

const command = "verify identities";

export async function run({ settings, notices }: Resolved<typeof command>, environment: NodeJS.ProcessEnv): Promise<number> {
  requireKnownChecks(settings.only);
  if (settings.report !== undefined) await checkWritable(settings.report);
  const files = await givenFiles(settings);
  const documentSubscription = subscriptionInFile(files.infra?.subscriptionID, files.infraFile);
  return inSession({ ...settings, documentSubscription }, notices, environment, async (azure, stage) => {
    const chain = identityChain(files, settings, await signedIn(azure.connection));
    const chosen = { subjects: settings.component, checks: settings.only };
    const results = await runInspections(withNeeds(identityInspections(azure, chain), chosen), {
      concurrency: settings.concurrency,
      signal: stage.signal,
      emit: stage.emit,
      now: () => performance.now(),
      toFailure,
      // What the views show while Azure is being read.
      onResult: ({ check, subject }) => {
        stage.emit({ type: "step.planned", step: `${check}/${subject}`, title: check, act: "keep", why: undefined, changes: [] });
      },
    });
    stage.endProgress();
    const told = toldOf(results, chosen);
    const counts = countStates(told);
    if (settings.report !== undefined) await writeReport(settings.report, azure, chain, told);
    if (settings.output === "json") printDocument(stage.result, { ok: counts.failed === 0, command, counts, results: told });
    else stage.result.print(verificationText(stage.result, told));
    return exitCodeOf(counts);
  });
}

function exitCodeOf({ failed, warning }: Counts): ExitCode {
  if (failed > 0) return exitCodes.broken;
  return warning > 0 ? exitCodes.expiring : exitCodes.done;
}

function requireKnownChecks(only: readonly string[]): void {
  const unknown = only.find((id) => !identityCheckIds.some((known) => known === id));
  if (unknown === undefined) return;
  throw new Failure("ARO-USAGE-001", `--only: there is no check "${unknown}"${didYouMean(unknown, identityCheckIds)}`, {
    next: ["`docs/verify.md` lists the checks"],
  });
}

/** `doctor`: what a create needs of this machine, the account and the subscription, looked at before anything is made. */
import type { Resolved } from "../../settings/settings.js";
import { doctorCheckIds } from "../../verify/doctor/checks.js";
import { doctorInspections } from "../../verify/doctor/inspections.js";
import { partsOf, preflightOf } from "../preflight.js";
import { inSession } from "../session.js";
import { requireKnownChecks, verified } from "../verification.js";

const command = "doctor";

/** `word`: what of `create` is meant, all where it is not said. */
export async function run({ settings, notices }: Resolved<typeof command>, environment: NodeJS.ProcessEnv, word?: string): Promise<number> {
  const { only, concurrency, output } = settings;
  requireKnownChecks(only, doctorCheckIds, "docs/doctor.md");
  const made = partsOf(word);
  return inSession({ ...settings, subscriptionNeeded: false }, notices, environment, async (azure, stage) => {
    const inspections = doctorInspections(azure, preflightOf(settings, made, azure));
    const { code } = await verified(stage, { command, inspections, chosen: { subjects: [], checks: only }, concurrency, output });
    return code;
  });
}

/** `doctor`: checks this machine, the account and the subscription for the prerequisites of create. */
import type { Resolved } from "../../settings/settings.js";
import { doctorCheckIds } from "../../verify/doctor/checks.js";
import { doctorCheckInstances } from "../../verify/doctor/check-instances.js";
import { partsOf, doctorRequest } from "../inputs/doctor-request.js";
import { withConnection } from "../run/with-connection.js";
import { machineOf } from "../run/preflight.js";
import { requireKnownChecks, verified } from "../run/verification.js";
import type { ProcessPort } from "../process-port.js";

const command = "doctor";

/** `argument`: the create command to check; all by default. */
export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort, argument?: string): Promise<number> {
  const { only, concurrency, output } = settings;
  requireKnownChecks(only, doctorCheckIds, "docs/doctor.md");
  const made = partsOf(argument);
  return withConnection({ ...settings, command, subscriptionNeeded: false }, notices, port, async (azure, context) => {
    const instances = doctorCheckInstances(azure, doctorRequest(settings, made, azure, machineOf(port)));
    const { code } = await verified(context, { command, instances, chosen: { subjects: [], checks: only }, concurrency, output });
    return code;
  });
}

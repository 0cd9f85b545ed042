/** `rotate credentials`: replaces the certificates of the control plane's identities; one is valid at every moment. */
import { signedIn } from "../azure/signed-in.js";
import { fetchTokensAhead } from "../azure/tokens-ahead.js";
import type { Step } from "../engine/step.js";
import { table } from "../render/table.js";
import type { Retirement } from "./steps/retirement.js";
import { componentsToRotate, rotationGraph } from "./steps/rotation.js";
import type { Resolved } from "../settings/settings.js";
import { applyGraph } from "../run/apply.js";
import { planPreflight } from "../run/create-preflight.js";
import { earlierIdentities } from "./inputs/earlier-clients.js";
import { identitySetKey, settingsOfSet } from "../run/identity-set.js";
import { noSuchSet } from "../removal/nothing-found.js";
import { targetOf } from "../run/target.js";
import { withConnection } from "../run/with-connection.js";
import type { ProcessPort } from "../run/process-port.js";
import { rfc3339 } from "../text/rfc3339.js";

/** The part of the time limit that is reserved for the rest of the work. */
const workMs = 5 * 60_000;

const command = "rotate credentials";

export async function run({ settings: given, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const settings = settingsOfSet(given);
  return withConnection({ ...settings, command }, notices, port, async (azure, context) => {
    fetchTokensAhead(azure.connection);
    const caller = await signedIn(azure.connection);
    const key = identitySetKey(settings, azure);
    const options = {
      key,
      tenantId: caller.tenantId,
      components: await componentsToRotate(azure, key, settings.component),
      keepsRoles: !settings.returnOwnRoles,
      overlapMs: settings.overlap,
      minAgeMs: settings.minAge,
      longestWaitMs: azure.connection.clock.unscaled(settings.timeout - workMs),
    };
    const files = earlierIdentities({ "--identities-file": settings.identitiesFile });
    const { steps, retirements } = rotationGraph(azure, options, caller, files, noSuchSet);
    // The plan and the run both report a kept step.
    const retiredKeys = new Map<Step<unknown>, Retirement>();
    const { code, done } = await applyGraph(azure, context, settings, {
      command,
      subject: settings.name,
      about: { name: settings.name },
      target: targetOf(azure, { identitySet: key.name }),
      steps,
      preflight: planPreflight(azure, port),
      onDone(step, output) {
        if (retirements.some((each) => each === step)) retiredKeys.set(step, output as Retirement);
      },
      document: () => ({ credentials: [...retiredKeys.values()] }),
    });
    if (settings.output === "text" && done) {
      const rotated = [...retiredKeys.values()];
      const rows = rotated.map(({ component, certificateOf, expiresOn, oldKeyUntil }) => [
        component,
        rfc3339(certificateOf),
        rfc3339(expiresOn),
        oldKeyUntil === undefined ? "" : rfc3339(oldKeyUntil),
      ]);
      context.result.show(table(context.result, ["COMPONENT", "CERTIFICATE OF", "EXPIRES", "OLD KEY UNTIL"], rows));
      for (const [reason, components] of byReason(rotated))
        context.say(`${components.join(", ")} ${components.length === 1 ? "was" : "were"} not rotated: ${reason}`);
      if (rotated.some(({ oldKeyUntil }) => oldKeyUntil))
        context.say("rerun the command after the overlap to remove the old keys from the applications");
    }
    return code;
  });
}

/** The components with one reason. Reasons that differ only in the age of the rotation are one: the lowest --min-age rotates all. */
function byReason(rotated: readonly Retirement[]): ReadonlyMap<string, readonly string[]> {
  const kept = rotated.flatMap(({ component, notRotated }) => (notRotated === undefined ? [] : [{ component, reason: notRotated }]));
  const kinds = new Set(kept.map(({ reason }) => withoutAge(reason)));
  return new Map(
    [...kinds].map((kind) => {
      const alike = kept.filter(({ reason }) => withoutAge(reason) === kind);
      const [lowest] = alike.toSorted((a, b) => secondsIn(a.reason) - secondsIn(b.reason));
      return [lowest?.reason ?? kind, alike.map(({ component }) => component)];
    }),
  );
}

const age = /(\d+)([sm])$/;

function withoutAge(reason: string): string {
  return reason.replace(age, "");
}

function secondsIn(reason: string): number {
  const [, count = "0", unit] = age.exec(reason) ?? [];
  return Number(count) * (unit === "m" ? 60 : 1);
}

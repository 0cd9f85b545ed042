/** `verify all`: the checks of verify infra and verify identities, on the files that create all wrote. */
import { identityVerification } from "../identities/index.js";
import { infraVerification } from "../infra/index.js";
import type { ProcessPort } from "../run/process-port.js";
import { runVerification } from "../run/verification.js";
import { withConnection } from "../run/with-connection.js";
import type { Resolved } from "../settings/settings.js";

const command = "verify all";

export async function run(resolved: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { settings } = resolved;
  const infra = await infraVerification(resolved);
  const identities = await identityVerification({ ...resolved, settings: { ...settings, component: [] } }, port);
  const connection = { ...identities.connection, ...infra.connection };
  return withConnection({ ...settings, command, ...connection }, infra.notices, port, async (azure, context) => {
    const ofInfra = await infra.connected(azure, context);
    const ofIdentities = await identities.connected(azure, context);
    return runVerification(context, {
      ...ofIdentities,
      command,
      settings,
      // Both check the set of each identity file.
      instances: [...new Map([...ofInfra.instances, ...ofIdentities.instances].map((one) => [one.id, one])).values()],
      about: `${ofInfra.about ?? ""} and its identities`,
      places: [...new Set([...(ofInfra.places ?? []), ...(ofIdentities.places ?? [])])],
    });
  });
}

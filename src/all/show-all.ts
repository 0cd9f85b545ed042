/** `show all`: what show infra and show identities show, of one cluster. */
import { identitiesToShow } from "../identities/index.js";
import { infraToShow } from "../infra/index.js";
import { inPersistentGroup, ofIdentitySet } from "../run/identity-set.js";
import type { ProcessPort } from "../run/process-port.js";
import { showParts } from "../run/show-resources.js";
import { withConnection } from "../run/with-connection.js";
import type { Resolved } from "../settings/settings.js";

const command = "show all";

export async function run(resolved: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { settings } = resolved;
  const { notices, connection, about, name, connected } = await infraToShow(resolved);
  const set = inPersistentGroup({ ...settings, name: ofIdentitySet({ ...settings, name }).name });
  return withConnection({ ...settings, command, ...connection }, notices, port, async (azure, context) => {
    const parts = [await connected(azure, context), await identitiesToShow(azure, set, context)];
    return showParts({ command, about: { ...about, name }, settings }, parts, context);
  });
}

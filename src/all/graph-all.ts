/** `graph all`: the steps of create all with the same settings; sends no requests to Azure. */
import { accountPlace, issuerSpec } from "../issuer/index.js";
import { setReader } from "../identities/index.js";
import { clouds } from "../azure/cloud.js";
import { anyId, offlineAzure } from "../azure/offline-azure.js";
import { defaultAccountName } from "../domain/issuer.js";
import { parseResourceId } from "../domain/resource-id.js";
import { diagram } from "../render/diagram.js";
import { screensOf } from "../render/screen.js";
import type { Resolved } from "../settings/settings.js";
import { createAllGraph } from "./steps.js";
import { createAllSpec } from "./inputs.js";
import { ofIdentitySet } from "../run/identity-set.js";
import { graphStep } from "../run/plan-rows.js";
import type { ProcessPort } from "../run/process-port.js";

export async function run(resolved: Resolved<"graph all">, port: ProcessPort): Promise<number> {
  const { settings } = resolved;
  const { objectId: keyVaultReaderObjectId, subscription } = await setReader(resolved);
  const ofVault = settings.keyVaultId === undefined ? undefined : parseResourceId(settings.keyVaultId).subscriptionId;
  const azure = offlineAzure({
    cloud: clouds[settings.cloud],
    subscriptionId: settings.subscription ?? subscription?.id ?? ofVault ?? anyId,
  });
  const set = ofIdentitySet(settings);
  const issuer = issuerSpec(set, azure, set.storageAccountName ?? defaultAccountName(accountPlace(set, azure)));
  const caller = { objectId: anyId, principalType: "User", tenantId: anyId } as const;
  const purgeProtection = "none";
  const described = { ...settings, outputDir: settings.outputDir ?? ".", purgeProtection, keyVaultReaderObjectId } as const;
  const spec = createAllSpec(described, issuer, azure, caller);
  screensOf(port, settings.color).result.print(diagram(createAllGraph(azure, spec, caller).steps.map(graphStep), settings.format));
  return 0;
}

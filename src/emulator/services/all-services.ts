/** All services on one state, with the settings of an emulator: what its servers share. */
import { armService } from "./resource-manager/service.js";
import type { LocalSettings } from "../core/local-settings.js";
import { Faults } from "../core/faults.js";
import type { Core } from "../core/reaction.js";
import { Throttle } from "../core/throttle.js";
import { aksIssuerService } from "./aks-issuer/service.js";
import { arcAgentService } from "./arc-agents/service.js";
import { arcChartService } from "./arc-chart/service.js";
import { blobService } from "./blob/service.js";
import { entraService } from "./entra/service.js";
import { graphService } from "./graph/service.js";
import { instanceMetadataService } from "./instance-metadata/service.js";
import { keyVaultService } from "./key-vault/service.js";
import { managedHsmService } from "./managed-hsm/service.js";
import type { StateStore } from "../state/store.js";
import type { ClockAndRandom } from "../common/random.js";

export function coreOf(
  store: StateStore,
  clockAndRandom: ClockAndRandom,
  { latency, timeScale, record, faults }: LocalSettings,
): Omit<Core, "fetch"> {
  return {
    ...clockAndRandom,
    store,
    services: [
      armService,
      entraService,
      graphService,
      keyVaultService(clockAndRandom),
      managedHsmService(clockAndRandom),
      aksIssuerService,
      blobService(store.content),
      instanceMetadataService,
      arcAgentService,
      arcChartService,
    ],
    throttle: new Throttle(timeScale, latency === "recorded"),
    faults: new Faults(faults),
    latency,
    timeScale,
    record,
  };
}

/** `graph`: what create infra would make with the same settings, drawn; nothing is asked of Azure. */
import { azureNotAsked } from "../../azure/not-asked.js";
import { diagram } from "../../render/diagram.js";
import { processScreens } from "../../render/screen.js";
import { infraGraph } from "../../steps/infra.js";
import type { Resolved } from "../../settings/settings.js";
import { readIdentities } from "../identities.js";
import { infraSpec } from "../infra-spec.js";

/** Stands for the subscription where none is given: a drawing needs no real one. */
const anySubscription = "00000000-0000-0000-0000-000000000000";

export async function run({ settings }: Resolved<"graph">, environment: NodeJS.ProcessEnv): Promise<number> {
  const subscriptionId = settings.subscription ?? anySubscription;
  const { steps } = infraGraph(azureNotAsked(), infraSpec(settings, subscriptionId, await readIdentities(settings)));
  processScreens(settings.color, environment).result.print(diagram(steps, settings.format));
  return 0;
}

/** The application with a derived unique name: that of a create, or one that a destroy keeps because anybody may have registered it. */
import { foreignParts, unprovenReason, type EarlierFiles } from "../azure/application-ownership.js";
import type { Azure } from "../azure/azure.js";
import { signedIn } from "../azure/signed-in.js";
import { keptApplication } from "./deleted-applications.js";
import type { Kept } from "./inventory.js";

export interface FoundApplication {
  /** Object ID. */
  readonly id: string;
  readonly displayName: string;
  /** Object ID of its service principal; undefined if there is none. */
  readonly principalId: string | undefined;
}

/** `files`: what a create takes as proof too. */
export async function ownApplication(
  azure: Azure,
  uniqueName: string,
  files: EarlierFiles | undefined,
): Promise<{ readonly application: FoundApplication | undefined; readonly kept: readonly Kept[] }> {
  const directory = await azure.directory();
  const live = await directory.application(uniqueName);
  if (live === undefined) return { application: undefined, kept: [] };
  const { id, displayName, appId } = live;
  const foreign = await foreignParts(azure, live, { caller: await signedIn(azure.connection), files });
  if (foreign === undefined) return { application: { id, displayName, principalId: await directory.servicePrincipalOf(appId) }, kept: [] };
  return { application: undefined, kept: keptApplication({ id, displayName, unproven: unprovenReason(appId, foreign, { files }) }) };
}

/** Refuses credentials and files of the emulator without `--cloud local`. */
import { Failure } from "../errors/failure.js";
import { sameText } from "../text/same-text.js";
import { proxyVariable } from "./proxy-variable.js";
import type { SubscriptionInFile } from "./subscription.js";

/** The same in every state of the emulator; a test keeps them equal to the emulator's own. */
const emulatorTenantId = "7e7a0000-0000-4000-8000-000000000001";
const emulatorSubscriptionId = "5b5c0000-0000-4000-8000-000000000001";

/** Azure does not know them, and would only say that their tenant does not exist. */
const onThisMachine = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export interface GivenIds {
  readonly tenantId: string | undefined;
  /** The credentials file; undefined if AZURE_TENANT_ID has the tenant. */
  readonly credsFile: string | undefined;
  /** The subscription in a file of the cluster, if it selects the subscription of the run. */
  readonly document: SubscriptionInFile | undefined;
}

/**
 * The proxy of `local serve` leads to the emulator, so that any client can use it: a proxy on this machine may be that one.
 * @throws ARO-USAGE-001
 */
export function refuseEmulatorIds(
  { tenantId, credsFile, document }: GivenIds,
  environment: Readonly<Record<string, string | undefined>>,
): void {
  const proxy = environment[proxyVariable(environment) ?? ""];
  if (proxy !== undefined && onThisMachine.test(new URL(proxy).hostname)) return;
  const forEmulator = "add --cloud local to use the emulator";
  if (sameText(tenantId, emulatorTenantId)) {
    throw new Failure("ARO-USAGE-001", "these credentials are for the Azure emulator, not for Azure", {
      because: `${credsFile ?? "AZURE_TENANT_ID"} has the emulator's tenant ID, ${emulatorTenantId}`,
      next: [
        forEmulator,
        credsFile === undefined
          ? "for Azure, unset AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET and AZURE_SUBSCRIPTION_ID, or set them to your own"
          : "for Azure, pass the --azure-creds file of your own service principal",
      ],
    });
  }
  if (document !== undefined && sameText(document.id, emulatorSubscriptionId)) {
    throw new Failure("ARO-USAGE-001", "this cluster is in the Azure emulator, not in Azure", {
      because: `${document.file} has the emulator's subscription ID, ${emulatorSubscriptionId}`,
      next: [forEmulator, "for Azure, pass the files of a cluster in Azure"],
    });
  }
}

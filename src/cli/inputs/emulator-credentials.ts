/** Credentials of the emulator without `--cloud local`: Azure does not know them, and would only say that their tenant does not exist. */
import { Failure } from "../../errors/failure.js";
import { proxyVariable } from "./proxy-variable.js";

/** The same in every state of the emulator; a test keeps it equal to the emulator's own. */
const emulatorTenantId = "7e7a0000-0000-4000-8000-000000000001";

const onThisMachine = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export interface TenantSource {
  readonly tenantId: string | undefined;
  /** The credentials file; undefined if AZURE_TENANT_ID has the tenant. */
  readonly credsFile: string | undefined;
}

/**
 * The proxy of `local serve` leads to the emulator, so that any client can use it: a proxy on this machine may be that one.
 * @throws ARO-USAGE-001
 */
export function refuseEmulatorTenant(
  { tenantId, credsFile }: TenantSource,
  environment: Readonly<Record<string, string | undefined>>,
): void {
  if (tenantId?.toLowerCase() !== emulatorTenantId) return;
  const proxy = environment[proxyVariable(environment) ?? ""];
  if (proxy !== undefined && onThisMachine.test(new URL(proxy).hostname)) return;
  throw new Failure("ARO-USAGE-001", "these credentials are for the Azure emulator, not for Azure", {
    because: `${credsFile ?? "AZURE_TENANT_ID"} has the emulator's tenant ID, ${tenantId}`,
    next: [
      "add --cloud local to use the emulator",
      credsFile === undefined
        ? "for Azure, unset AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET and AZURE_SUBSCRIPTION_ID, or set them to your own"
        : "for Azure, pass the --azure-creds file of your own service principal",
    ],
  });
}

/** The subscription that az has selected, where az signs in too. */
import { join } from "node:path";
import type { CloudName } from "../azure/cloud.js";
import { selectedSubscriptions } from "../files/az-profile.js";
import { sameText } from "../text/same-text.js";
import type { ProcessPort } from "./process-port.js";

export interface AzSubscription {
  readonly id: string;
  readonly tenantId: string;
  /** The profile of az. */
  readonly file: string;
}

/** az's names of the clouds that it knows. */
const azClouds: Readonly<Partial<Record<CloudName, string>>> = {
  AzurePublicCloud: "AzureCloud",
  AzureUSGovernmentCloud: "AzureUSGovernment",
  AzureChinaCloud: "AzureChinaCloud",
};

/** With one of these, another credential of the SDK's chain signs in. */
const otherSignIns = [
  "AZURE_CLIENT_ID",
  "AZURE_FEDERATED_TOKEN_FILE",
  "AZURE_POD_IDENTITY_AUTHORITY_HOST",
  "IDENTITY_ENDPOINT",
  "MSI_ENDPOINT",
];

/** Undefined if az is not signed in, selects none, or does not sign in here. */
export async function azSubscription(
  cloud: CloudName,
  { environment, homeDirectory }: Pick<ProcessPort, "environment" | "homeDirectory">,
): Promise<AzSubscription | undefined> {
  const azCloud = azClouds[cloud];
  if (azCloud === undefined || !signsInByAz(environment)) return undefined;
  const file = join(environment["AZURE_CONFIG_DIR"] || join(homeDirectory, ".azure"), "azureProfile.json");
  const selected = (await selectedSubscriptions(file)).find(({ environmentName }) => environmentName === azCloud);
  const tenant = environment["AZURE_TENANT_ID"];
  // Without a subscription, az has an account of the tenant alone, with the ID of the tenant.
  if (selected === undefined || selected.id === selected.tenantId) return undefined;
  return tenant && !sameText(tenant, selected.tenantId) ? undefined : { id: selected.id, tenantId: selected.tenantId, file };
}

function signsInByAz(environment: ProcessPort["environment"]): boolean {
  if (otherSignIns.some((variable) => environment[variable])) return false;
  const credential = environment["AZURE_TOKEN_CREDENTIALS"];
  return !credential || /^(?:dev|azureclicredential)$/i.test(credential);
}

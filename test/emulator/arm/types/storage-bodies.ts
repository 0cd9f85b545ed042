/** A storage account to write, and its container. */
import { ArmState } from "../arm-state.js";

export const accountBody = (properties: object = {}) => ({
  location: "eastus",
  kind: "StorageV2",
  sku: { name: "Standard_LRS" },
  properties,
});
export const refusal = (status: number, code: string) => ({ status, body: { error: { code } } });

export function withGroup(): { arm: ArmState; account: string; container: string } {
  const arm = new ArmState();
  const account = `${arm.group("demo-oidc")}/providers/Microsoft.Storage/storageAccounts/demo`;
  return { arm, account, container: `${account}/blobServices/default/containers/demo` };
}

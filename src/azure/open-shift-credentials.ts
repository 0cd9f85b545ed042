/** The admin kubeconfig of a classic ARO cluster, which Azure returns to whoever may administer the cluster. */
import type { Azure } from "./azure.js";

const apiVersion = "2023-11-22";

/** @throws RestError if the cluster does not exist, or the caller has no permission */
export async function openShiftKubeconfig(azure: Azure, id: string): Promise<string> {
  const manager = await azure.manager();
  return manager.ask(`${id}/listAdminCredentials`, apiVersion, {}, (body) => {
    const value = typeof body === "object" && body !== null && "kubeconfig" in body ? body.kubeconfig : undefined;
    if (typeof value !== "string") throw new TypeError('it has no member "kubeconfig"');
    return Buffer.from(value, "base64").toString("utf8");
  });
}

/** The admin kubeconfig of a classic ARO cluster, which Azure returns to whoever may administer the cluster. */
import { z } from "zod";
import type { Azure } from "./azure.js";

/** https://learn.microsoft.com/rest/api/openshift/open-shift-clusters/list-admin-credentials. The kubeconfig is in base64. */
const credentials = z.object({ kubeconfig: z.string() });

const apiVersion = "2023-11-22";

/** @throws RestError if the cluster does not exist, or the caller has no permission */
export async function openShiftKubeconfig(azure: Azure, id: string): Promise<string> {
  const manager = await azure.manager();
  const { kubeconfig } = await manager.ask(`${id}/listAdminCredentials`, apiVersion, {}, credentials);
  return Buffer.from(kubeconfig, "base64").toString("utf8");
}

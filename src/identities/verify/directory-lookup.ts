/** Looks up the identities of one verification in the directory. Each list is read once, for all checks. */
import type { Application } from "../../azure/applications.js";
import type { Azure } from "../../azure/azure.js";
import { azureCodeOf } from "../../azure/azure-error.js";
import type { Principal } from "../../azure/directory.js";
import { oncePerKey } from "../../azure/concurrency.js";
import { notChecked, type Finding } from "../../verify/check.js";
import { sameText } from "../../text/same-text.js";

export interface DirectoryLookup {
  /** `all` are the client IDs to request together. */
  principals(clientId: string, all: readonly string[]): Promise<readonly Principal[]>;
  application(clientId: string, all: readonly string[]): Promise<Application | undefined>;
}

export function directoryLookup(azure: Azure): DirectoryLookup {
  const principals = oncePerKey<readonly Principal[]>();
  const applications = oncePerKey<readonly Application[]>();
  const is = (clientId: string) => (each: { readonly appId: string }) => sameText(each.appId, clientId);
  return {
    async principals(clientId, all) {
      const listed = await principals.get("all", async () => (await azure.directory()).servicePrincipals(all));
      return listed.filter(is(clientId));
    },
    async application(clientId, all) {
      const listed = await applications.get("all", async () => (await azure.directory()).applicationsOf(all));
      return listed.find(is(clientId));
    },
  };
}

/** The application and service principals with a client ID; undefined if the directory cannot be read. */
export async function findInDirectory(
  lookup: DirectoryLookup,
  clientId: string,
  all: readonly string[],
): Promise<{ readonly application: Application | undefined; readonly principals: readonly Principal[] } | undefined> {
  try {
    const [application, principals] = await Promise.all([lookup.application(clientId, all), lookup.principals(clientId, all)]);
    return { application, principals };
  } catch (error) {
    if (azureCodeOf(error) !== "Authorization_RequestDenied") throw error;
    return undefined;
  }
}

/** Skips a check if the directory cannot be read; other checks can still run. */
export async function catchDirectoryDenied<Value>(read: () => Promise<Finding<Value>>): Promise<Finding<Value>> {
  try {
    return await read();
  } catch (error) {
    const code = azureCodeOf(error);
    if (code !== "Authorization_RequestDenied") throw error;
    return notChecked(
      `${code}: the signed-in principal has no permission to read the directory; it needs the Microsoft Graph permission Application.Read.All`,
    );
  }
}

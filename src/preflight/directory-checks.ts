/** Checks of the directory: permission to create applications, and names that deleted applications use. */
import { advise, blank, joinAdvice, shell } from "../errors/advice.js";
import type { DeletedApplication } from "../azure/applications.js";
import { azureCodeOf } from "../azure/azure-error.js";
import type { Azure } from "../azure/azure.js";
import { claimsOf, type SignedIn } from "../azure/signed-in.js";
import { grantApplications } from "../errors/access-failures.js";
import { controlPlaneComponents } from "../domain/components.js";
import { applicationUniqueName } from "../domain/identity-names.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { failed, passed, notChecked, type Finding } from "../verify/check.js";
import { checkInstance, type CheckInstance } from "../verify/check-instance.js";
import type { Account } from "./account.js";
import { doctorChecks } from "./checks.js";

/** Microsoft Graph's application permissions to create applications: https://learn.microsoft.com/graph/permissions-reference. */
const permissions = ["Application.ReadWrite.OwnedBy", "Application.ReadWrite.All", "Directory.ReadWrite.All"];

/** https://learn.microsoft.com/entra/identity/role-based-access-control/permissions-reference, by template ID. */
const directoryRoles: Readonly<Record<string, string>> = {
  "62e90394-69f5-4237-9190-012177145e10": "Global Administrator",
  "9b895d92-2cd3-44c7-9d02-a6ac2d5ea5c3": "Application Administrator",
  "158c047a-c907-4556-b7ef-465551a6b5f7": "Cloud Application Administrator",
  "cf1c38e5-3621-4004-a7cb-879624dced7c": "Application Developer",
};

export function directoryCheckInstance(azure: Azure, caller: CheckInstance<SignedIn>): CheckInstance {
  return checkInstance(doctorChecks.applications, "directory", { caller }, async ({ caller: { principalType, clientId } }) => {
    const { credential, cloud } = azure.connection;
    const token = await credential.getToken(`${cloud.graph}/.default`);
    const { roles, wids } = claimsOf(token?.token ?? "");
    return principalType === "User" ? checkUser(textsIn(wids)) : checkApplication(textsIn(roles), textsIn(wids), clientId);
  });
}

/** Entra reserves the unique name of a deleted application for 30 days, and a create would restore the application. */
export function applicationNamesCheckInstance(
  azure: Azure,
  identities: IdentitySetKey | undefined,
  account: CheckInstance<Account>,
): CheckInstance {
  return checkInstance(doctorChecks["application-names"], identities?.name ?? "identities", { account }, async () => {
    if (identities === undefined) return notChecked("--name is not specified");
    const names = controlPlaneComponents.map((component) => applicationUniqueName(identities, component));
    const directory = await azure.directory();
    try {
      return checkDeleted(await directory.deletedApplications(names), azure.connection.cloud.graph);
    } catch (error) {
      if (azureCodeOf(error) === "Authorization_RequestDenied")
        return notChecked("the signed-in principal has no permission to read deleted applications");
      throw error;
    }
  });
}

function checkDeleted(deleted: readonly DeletedApplication[], graph: string): Finding<undefined> {
  if (deleted.length === 0) return passed("none");
  const names = deleted.map(({ displayName, deletedDateTime }) => `${displayName}, deleted ${deletedDateTime.slice(0, 10)}`);
  const purge = deleted.map(({ id }) => shell`az rest --method DELETE --url ${graph}/v1.0/directory/deletedItems/${id}`);
  return failed(names.join("; "), advise`to let a create restore them, do nothing; otherwise purge them: ${joinAdvice(purge, " and ")}`);
}

function checkApplication(roles: readonly string[], wids: readonly string[], clientId: string | undefined): Finding<undefined> {
  const held = [...permissions.filter((permission) => roles.includes(permission)), ...rolesAmong(wids)];
  if (held.length > 0) return passed(held.join(", "));
  const granted = roles.length === 0 ? "no Microsoft Graph permission" : `only the Microsoft Graph permissions ${roles.join(", ")}`;
  return failed(`the token has ${granted}`, joinAdvice(grantApplications(clientId ?? blank("client-id")), "; "));
}

/** By default, every member of a tenant can create applications; the token does not show whether the tenant forbids that. */
function checkUser(wids: readonly string[]): Finding<undefined> {
  const held = rolesAmong(wids);
  return held.length > 0
    ? passed(held.join(", "))
    : notChecked("the user has no directory role; whether the tenant lets every member create applications is unknown");
}

function rolesAmong(wids: readonly string[]): string[] {
  return wids.flatMap((id) => directoryRoles[id] ?? []);
}

/** False only for an application without any permission or directory role that allows it: what a user or a custom role may do is not in the token. */
export async function mayCreateApplications({ connection: { credential, cloud } }: Azure, { principalType }: SignedIn): Promise<boolean> {
  if (principalType === "User") return true;
  const { roles, wids } = claimsOf((await credential.getToken(`${cloud.graph}/.default`))?.token ?? "");
  return textsIn(wids).length > 0 || permissions.some((permission) => textsIn(roles).includes(permission));
}

function textsIn(claim: unknown): string[] {
  return Array.isArray(claim) ? claim.filter((item): item is string => typeof item === "string") : [];
}

/** The az command that assigns a role, for those who may assign it. */
import { shell, type ShellCommand } from "../errors/advice.js";
import type { Role } from "./roles.js";

export interface NamedAssignment {
  /** The name that this program computes, so that a destroy finds it. */
  readonly name: string;
  readonly scope: string;
  readonly role: Role;
  readonly objectId: string;
  readonly principalType: "ServicePrincipal" | "User";
  /** The description, which a destroy also looks for. */
  readonly purpose?: string | undefined;
}

export function assignCommand({ name, scope, role, objectId, principalType, purpose }: NamedAssignment): ShellCommand {
  const description = purpose === undefined ? [] : ["--description", purpose];
  return shell`az role assignment create --assignee-object-id ${objectId} --assignee-principal-type ${principalType} --role ${role.id} --scope ${scope} --name ${name} ${description}`;
}

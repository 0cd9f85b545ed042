/** Whether the identity that reads the vault's secrets is named by its object ID. */
import type { Azure } from "../azure/azure.js";
import { azureCodeOf } from "../azure/azure-error.js";
import { Failure } from "../errors/failure.js";

/** A client id is soon given for an object id, and Azure would take it: the role would be nobody's. */
export async function readerProblems(azure: Azure, objectId: string | undefined): Promise<Failure[]> {
  if (objectId === undefined) return [];
  const directory = await azure.directory();
  const [mistaken] = await directory.servicePrincipals([objectId]).catch((error: unknown) => {
    // Who may not look anybody up is not told, and may be right.
    if (azureCodeOf(error) === "Authorization_RequestDenied") return [];
    throw error;
  });
  if (mistaken === undefined) return [];
  return [
    new Failure("ARO-USAGE-001", `${objectId} is the client id of ${mistaken.displayName ?? "a service principal"}, not an object id`, {
      because: "--key-vault-reader-object-id names it",
      next: [`pass the object id of its service principal: ${mistaken.id}`],
    }),
  ];
}

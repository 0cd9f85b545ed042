/** Checks that --key-vault-reader-object-id is an object ID. */
import type { Azure } from "../azure/azure.js";
import { azureCodeOf } from "../azure/azure-error.js";
import { Failure } from "../errors/failure.js";

/** Detects a client ID in place of the object ID. Azure would accept it, and the role assignment would have no effect. */
export async function readerProblems(azure: Azure, objectId: string | undefined): Promise<Failure[]> {
  if (objectId === undefined) return [];
  const directory = await azure.directory();
  const [mistaken] = await directory.servicePrincipals([objectId]).catch((error: unknown) => {
    // Without permission to read the directory, the value is assumed to be correct.
    if (azureCodeOf(error) === "Authorization_RequestDenied") return [];
    throw error;
  });
  if (mistaken === undefined) return [];
  return [
    new Failure("ARO-USAGE-001", `${objectId} is the client ID of ${mistaken.displayName ?? "a service principal"}, not an object ID`, {
      because: "it is the value of --key-vault-reader-object-id",
      next: [`pass the object ID of its service principal: ${mistaken.id}`],
    }),
  ];
}

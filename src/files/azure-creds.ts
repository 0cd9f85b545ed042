/** Reads hypershift's credentials file, which is also what `az ad sp create-for-rbac --sdk-auth` prints. */
import { sep } from "node:path";
import { z } from "zod";
import { uuid } from "./fields.js";
import { readDocument } from "./read.js";
import { validate } from "./validate.js";

/** `clientId` and `clientSecret` may be left out together: then the SDK's own chain signs in. Other keys are the SDK's endpoints. */
const azureCredsSchema = z
  .object({ subscriptionId: uuid, tenantId: uuid, clientId: uuid.optional(), clientSecret: z.string().min(1, "is empty").optional() })
  .superRefine(({ clientId, clientSecret }, context) => {
    if ((clientId === undefined) === (clientSecret === undefined)) return;
    const missing = clientId === undefined ? "clientId" : "clientSecret";
    context.addIssue({ code: "custom", path: [missing], message: "is missing, its counterpart is there" });
  });

export interface AzureCreds {
  readonly subscriptionId: string;
  readonly tenantId: string;
  /** Undefined where the file leaves the sign-in to the SDK's own chain. */
  readonly servicePrincipal: { readonly clientId: string; readonly clientSecret: string } | undefined;
  readonly notices: readonly string[];
}

/** Throws ARO-FILE-001, 002, or 003 naming each value that is missing or malformed; never quotes one. */
export async function readAzureCreds(path: string): Promise<AzureCreds> {
  const document = await readDocument(path);
  const { subscriptionId, tenantId, clientId, clientSecret } = validate(document, azureCredsSchema, "a credentials file");
  return {
    subscriptionId,
    tenantId,
    servicePrincipal: clientId !== undefined && clientSecret !== undefined ? { clientId, clientSecret } : undefined,
    notices: clientSecret !== undefined ? openToOthers(path, document.mode) : [],
  };
}

function openToOthers(path: string, mode: number): readonly string[] {
  // Windows, known by its paths, has no such bits: Node makes them up.
  if (sep === "\\" || (mode & 0o077) === 0) return [];
  return [`${path} holds a secret and others on this machine may read it (mode ${mode.toString(8).padStart(4, "0")}): chmod 600 ${path}`];
}

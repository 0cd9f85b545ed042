/** Reads hypershift's credentials file, the format that `az ad sp create-for-rbac --sdk-auth` prints. */
import { sep } from "node:path";
import { z } from "zod";
import { uuid } from "./fields.js";
import { readDocument } from "./read.js";
import { validate } from "./validate.js";

/** `clientId` and `clientSecret` may both be missing: the SDK's default chain then signs in. Other keys are endpoints for the SDK. */
const azureCredsSchema = z
  .object({ subscriptionId: uuid, tenantId: uuid, clientId: uuid.optional(), clientSecret: z.string().min(1, "is empty").optional() })
  .superRefine(({ clientId, clientSecret }, context) => {
    if ((clientId === undefined) === (clientSecret === undefined)) return;
    const missing = clientId === undefined ? "clientId" : "clientSecret";
    context.addIssue({ code: "custom", path: [missing], message: "is missing; clientId and clientSecret must be set together" });
  });

export interface AzureCreds {
  readonly subscriptionId: string;
  readonly tenantId: string;
  /** Undefined if the file leaves the sign-in to the SDK's default chain. */
  readonly servicePrincipal: { readonly clientId: string; readonly clientSecret: string } | undefined;
  readonly notices: readonly string[];
}

/** @throws ARO-FILE-001, 002, or 003 with each missing or malformed value, never quoting one */
export async function readAzureCreds(path: string): Promise<AzureCreds> {
  const document = await readDocument(path);
  const { subscriptionId, tenantId, clientId, clientSecret } = validate(document, azureCredsSchema, "a credentials file");
  return {
    subscriptionId,
    tenantId,
    servicePrincipal: clientId !== undefined && clientSecret !== undefined ? { clientId, clientSecret } : undefined,
    notices: clientSecret !== undefined ? permissionNotices(path, document.mode) : [],
  };
}

/** For a file with a secret: whether other users can read it. */
export function permissionNotices(path: string, mode: number): readonly string[] {
  // Windows, recognized by its paths, has no permission bits: Node.js simulates them.
  if (sep === "\\" || (mode & 0o077) === 0) return [];
  return [`${path} contains a secret, and other users can read it (mode ${mode.toString(8).padStart(4, "0")}); run: chmod 600 ${path}`];
}

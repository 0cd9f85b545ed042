/** A pull secret: a docker configuration with the credentials of registries. */
import { z } from "zod";
import { permissionNotices } from "../../files/azure-creds.js";
import { readDocument } from "../../files/read.js";
import { validate } from "../../files/validate.js";

const pullSecretSchema = z.looseObject({
  auths: z
    .record(z.string(), z.looseObject({ auth: z.base64("expected base64 of user:password") }))
    .refine((auths) => Object.keys(auths).length > 0, "has no registry"),
});

export interface PullSecret {
  readonly content: z.output<typeof pullSecretSchema>;
  readonly notices: readonly string[];
}

/** @throws ARO-FILE-001, 002 or 003, never quoting a value */
export async function readPullSecret(path: string): Promise<PullSecret> {
  const document = await readDocument(path);
  return { content: validate(document, pullSecretSchema, "a pull secret"), notices: permissionNotices(path, document.mode) };
}

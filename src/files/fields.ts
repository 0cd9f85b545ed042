/** Schemas of single values that several of our documents contain. */
import { z } from "zod";
import { azureClouds } from "../domain/clouds.js";
import { isIdOf } from "../domain/resource-id.js";

/** Any UUID: Azure uses IDs whose version digit is not in RFC 9562. */
export const uuid = z.string().regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, "expected a UUID");

/** A file names the cloud of its resources, which becomes a value in manifests. */
export const cloudName = z.enum(azureClouds, { error: `expected one of ${azureClouds.join(", ")}` });

/** HyperShift's rule for `credentialsSecretName`, the same as Key Vault's for secret names. */
export const secretName = z.string().regex(/^[a-z0-9-]{1,127}$/i, "expected 1 to 127 letters, digits and hyphens");

/** Key Vault's rule: globally unique, part of a hostname. */
export const vaultName = z
  .string()
  .regex(/^(?!.*--)[a-z][a-z0-9-]{1,22}[a-z0-9]$/i, "expected 3 to 24 letters, digits and single hyphens, starting with a letter");

/** An ARM ID of that type. "" and a missing value are undefined, because hypershift writes "" for unknown values. */
export function optionalId(type: string) {
  return z
    .string()
    .refine((text) => text === "" || isIdOf(text, type), `expected the ID of a ${type}`)
    .transform((text) => (text === "" ? undefined : text))
    .optional();
}

/** An ARM ID of that type. */
export function idOf(type: string) {
  return z.string().refine((text) => isIdOf(text, type), `expected the ID of a ${type}`);
}

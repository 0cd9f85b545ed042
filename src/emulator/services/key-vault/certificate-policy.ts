/** The policy of a certificate, with the vault's defaults for missing members. */
import { z } from "zod";
import { known, oneOf } from "../../arm/body-schema.js";
import { notEmulated } from "./errors.js";

export const pem = "application/x-pem-file";
const pkcs12 = "application/x-pkcs12";

/** Server and client authentication. */
const defaultUsages = ["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"];

export const keyUsages = [
  "digitalSignature",
  "nonRepudiation",
  "keyEncipherment",
  "dataEncipherment",
  "keyAgreement",
  "keyCertSign",
  "cRLSign",
  "encipherOnly",
  "decipherOnly",
] as const;

export const policyBody = known(
  {
    key_props: known({
      exportable: z.boolean().default(true),
      kty: z.string().default("RSA"),
      key_size: z.union([z.literal(2048), z.literal(3072), z.literal(4096)]).default(2048),
      reuse_key: z.boolean().default(false),
      crv: z.string().optional(),
    }).default({ exportable: true, kty: "RSA", key_size: 2048, reuse_key: false }),
    secret_props: known({ contentType: oneOf(pkcs12, pem).default(pkcs12) }).default({ contentType: pkcs12 }),
    x509_props: known(
      {
        subject: z.string().default(""),
        ekus: z.array(z.string()).default(defaultUsages),
        sans: known({
          emails: z.array(z.string()).optional(),
          dns_names: z.array(z.string()).optional(),
          upns: z.array(z.string()).optional(),
          uris: z.array(z.string()).optional(),
          ipAddresses: z.array(z.string()).optional(),
        }).optional(),
        key_usage: z.array(z.enum(keyUsages)).default(["digitalSignature", "keyEncipherment"]),
        validity_months: z.int().min(1).max(1200).default(12),
      },
      ["basic_constraints"],
    ),
    lifetime_actions: z
      .array(
        known({
          trigger: known({ lifetime_percentage: z.int().min(1).max(99).optional(), days_before_expiry: z.int().optional() }),
          action: known({ action_type: z.enum(["EmailContacts", "AutoRenew"]) }),
        }),
      )
      .default([{ trigger: { lifetime_percentage: 80 }, action: { action_type: "EmailContacts" } }]),
    issuer: known({ name: z.string(), cty: z.string().optional(), cert_transparency: z.boolean().optional() }),
  },
  ["id", "attributes"],
);

export type CertificatePolicy = z.output<typeof policyBody>;

/** By somebody that the vault does not know. */
export function isSignedElsewhere({ issuer }: CertificatePolicy): boolean {
  return issuer.name.toLowerCase() === "unknown";
}

/** Otherwise, the policy names an issuer of the vault, or nobody that it knows. */
export function isSelfSigned({ issuer }: CertificatePolicy): boolean {
  return issuer.name.toLowerCase() === "self";
}

/** @throws ApiError 501 */
export function checkEmulated({ key_props, x509_props }: CertificatePolicy): void {
  if (key_props.kty !== "RSA" || key_props.crv !== undefined) throw notEmulated(`A certificate with a key of the type '${key_props.kty}'`);
  if (x509_props.sans?.upns !== undefined && x509_props.sans.upns.length > 0) throw notEmulated("A certificate for user principal names");
}

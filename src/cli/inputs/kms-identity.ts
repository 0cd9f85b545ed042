/** The identity that encrypts etcd: as the combined file has it, or by its secret alone, as hypershift takes it. */
import type { ManagedIdentities } from "../../files/identity-files.js";
import type { ManagedIdentity } from "../../files/identity-schemas.js";

/** Its client id is known from the file only. */
export type KmsIdentity = Partial<ManagedIdentity> & Pick<ManagedIdentity, "credentialsSecretName" | "objectEncoding">;

/** Undefined where neither names it. */
export function kmsIdentity(
  { kmsCredentialsSecretName }: { readonly kmsCredentialsSecretName: string | undefined },
  identities: Pick<ManagedIdentities, "kms"> | undefined,
): KmsIdentity | undefined {
  if (kmsCredentialsSecretName === undefined) return identities?.kms;
  return { credentialsSecretName: kmsCredentialsSecretName, objectEncoding: "utf-8" };
}

/** The identity that encrypts etcd: from the combined file, or its secret alone, as hypershift accepts it. */
import type { ManagedIdentities } from "../../files/identity-files.js";
import type { ManagedIdentity } from "../../files/identity-schemas.js";

/** Only the file contains its client ID. */
export type KmsIdentity = Partial<ManagedIdentity> & Pick<ManagedIdentity, "credentialsSecretName" | "objectEncoding">;

/** Undefined if neither specifies it. */
export function kmsIdentity(
  { kmsCredentialsSecretName }: { readonly kmsCredentialsSecretName: string | undefined },
  identities: Pick<ManagedIdentities, "kms"> | undefined,
): KmsIdentity | undefined {
  if (kmsCredentialsSecretName === undefined) return identities?.kms;
  return { credentialsSecretName: kmsCredentialsSecretName, objectEncoding: "utf-8" };
}

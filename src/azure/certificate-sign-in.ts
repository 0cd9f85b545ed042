/** Signs in as somebody else, with a certificate: the only conclusive proof that a credential works. */
import type { Connection } from "./connection.js";
import { tokenPolicies } from "./pipeline.js";

export interface CertificateIdentity {
  readonly tenantId: string;
  readonly clientId: string;
  /** Certificate and PKCS#8 key. */
  readonly pem: string;
}

/** Throws what @azure/identity throws where Entra refuses. */
export async function signInWithCertificate(connection: Connection, { tenantId, clientId, pem }: CertificateIdentity): Promise<void> {
  const { ClientCertificateCredential } = await import("@azure/identity");
  const credential = new ClientCertificateCredential(
    tenantId,
    clientId,
    { certificate: pem },
    {
      authorityHost: connection.cloud.authorityHost,
      disableInstanceDiscovery: true,
      // As the pods do: HyperShift's loader sends the chain.
      sendCertificateChain: true,
      retryOptions: { maxRetries: 0 },
      additionalPolicies: tokenPolicies(connection, { retry: true }),
    },
  );
  await credential.getToken(connection.cloud.resourceManagerScope);
}

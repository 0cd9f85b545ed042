/** Signs in as another identity: the only conclusive proof that a credential works. */
import type { TokenCredential } from "@azure/core-auth";
import type { PipelinePolicy } from "@azure/core-rest-pipeline";
import type { Connection } from "./connection.js";
import { preserveCause } from "./preserve-cause.js";
import { tokenPolicies } from "./pipeline.js";
import { shareTokens } from "./shared-credential.js";

export interface CertificateIdentity {
  /** "https://login.microsoftonline.com", in the credential's own format. */
  readonly authorityHost: string;
  readonly tenantId: string;
  readonly clientId: string;
  /** Certificate and PKCS#8 key. */
  readonly pem: string;
}

export interface SecretIdentity {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface FederatedIdentity {
  readonly tenantId: string;
  readonly clientId: string;
}

/** Opens connections as other identities. Sends no request before the first token is needed. */
export interface Impersonate {
  withCertificate(identity: CertificateIdentity): Promise<Connection>;
  withSecret(identity: SecretIdentity): Promise<Connection>;
  /** `assertion` returns a token from an issuer that the identity trusts. */
  withAssertion(identity: FederatedIdentity, assertion: () => Promise<string>): Promise<Connection>;
}

/** @throws the error of @azure/identity if Entra rejects the sign-in, or the original network error if no response arrived */
export function impersonate(connection: Connection): Impersonate {
  const open = (authorityHost: string, make: (options: SignInOptions) => TokenCredential): Connection => {
    const { policy, revealing } = preserveCause();
    const options: SignInOptions = {
      authorityHost,
      disableInstanceDiscovery: true,
      // The pipeline's retry policy applies instead.
      retryOptions: { maxRetries: 0 },
      additionalPolicies: [{ policy, position: "perCall" }, ...tokenPolicies(connection, { authorityHost, retry: true })],
    };
    const source = revealing(make(options));
    return { ...connection, credential: shareTokens(() => source, connection) };
  };
  return {
    async withCertificate({ authorityHost, tenantId, clientId, pem }) {
      const { ClientCertificateCredential } = await import("./credentials/client-certificate.js");
      return open(
        authorityHost,
        (options) =>
          new ClientCertificateCredential(
            tenantId,
            clientId,
            { certificate: pem },
            // The pods do the same: HyperShift's loader sends the certificate chain.
            { ...options, sendCertificateChain: true },
          ),
      );
    },
    async withSecret({ tenantId, clientId, clientSecret }) {
      const { ClientSecretCredential } = await import("./credentials/client-secret.js");
      return open(connection.cloud.authorityHost, (options) => new ClientSecretCredential(tenantId, clientId, clientSecret, options));
    },
    async withAssertion({ tenantId, clientId }, assertion) {
      const { ClientAssertionCredential } = await import("./credentials/client-assertion.js");
      const { authorityHost } = connection.cloud;
      return open(authorityHost, (options) => new ClientAssertionCredential(tenantId, clientId, assertion, options));
    },
  };
}

interface SignInOptions {
  readonly authorityHost: string;
  readonly disableInstanceDiscovery: true;
  readonly retryOptions: { readonly maxRetries: number };
  readonly additionalPolicies: { readonly policy: PipelinePolicy; readonly position: "perCall" | "perRetry" }[];
}

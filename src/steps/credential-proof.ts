/** The proof that a new credential works: a token, got with what the pods will read, before anything old is taken back. */
import { impersonate } from "../azure/impersonate.js";
import type { Azure } from "../azure/azure.js";
import { signInCodeIn } from "../azure/azure-error.js";
import { signedIn } from "../azure/signed-in.js";
import { defineStep, type Step, type StepIo } from "../engine/step.js";
import { Failure } from "../errors/failure.js";
import type { ControlPlaneComponent } from "../domain/components.js";
import { credentialPem } from "../domain/credential-secret.js";
import { credentialSecretName } from "../domain/identity-names.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { isOf } from "./application-keys.js";
import type { ApplicationOutput } from "./applications.js";
import type { CertificateOutput } from "./certificates.js";
import type { CredentialOutput } from "./credential-secrets.js";

/** A certificate put on an application a moment ago is not known to every part of Entra: passwords take 4 to 18 s. */
const lagCodes: ReadonlySet<string | undefined> = new Set(["AADSTS700027", "AADSTS700016", "AADSTS7000222"]);
const longestLagMs = 5 * 60_000;
const lagPauseMs = 3_000;

export interface ProofNeeds {
  readonly key: Step<ApplicationOutput>;
  readonly certificate: Step<CertificateOutput & { readonly older: readonly string[] }>;
  readonly credential: Step<CredentialOutput>;
}

/** Needed only where there is an older key to take back. */
export function proof(
  azure: Azure,
  key: IdentitySetKey,
  tenantId: string,
  component: ControlPlaneComponent,
  needs: ProofNeeds,
): Step<unknown> {
  const name = credentialSecretName(key, component);
  return defineStep({
    id: `proof-${component.key}`,
    subject: { kind: "directory-object" },
    title: `sign-in as ${component.key}`,
    needs: { ...needs },
    async read({ key: { keyCredentials }, certificate: { older } }): Promise<"not needed" | "proved" | undefined> {
      return keyCredentials.some((credential) => older.some((thumbprint) => isOf(credential, thumbprint))) ? undefined : "not needed";
    },
    decide: (live) => (live ? { act: "keep" } : { act: "create", why: "the new credential must be proved before the old one goes" }),
    async apply(_live, { credential: { clientId } }, io) {
      const { secrets } = await azure.vaultContent(key.vaultName);
      const { value } = await secrets.getSecret(name);
      const { authorityHost } = azure.connection.cloud;
      const signIn = async () => {
        const acting = await impersonate(azure.connection).withCertificate({
          authorityHost,
          tenantId,
          clientId,
          pem: credentialPem(value),
        });
        await signedIn(acting);
      };
      await untilItSignsIn(azure, name, signIn, io);
      return "proved" as const;
    },
    output: () => undefined,
  });
}

async function untilItSignsIn(azure: Azure, name: string, signIn: () => Promise<void>, io: StepIo): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += lagPauseMs) {
    try {
      await signIn();
      return;
    } catch (error) {
      const code = signInCodeIn(error instanceof Error ? error.message : "");
      if (io.signal.aborted || code === undefined) throw error;
      if (!lagCodes.has(code) || waitedMs >= longestLagMs) {
        throw new Failure("ARO-CRED-001", `the credential in secret "${name}" does not sign in`, {
          because: `Entra answers ${code}`,
          azure: { code },
        });
      }
      io.note(`waiting until Entra knows the new certificate (${code})`);
      await azure.connection.clock.sleep(lagPauseMs, io.signal);
    }
  }
}

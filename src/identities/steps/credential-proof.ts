/** Proves that a new credential works: gets a token with the secret that the pods will read, before the old key is removed. */
import { impersonate } from "../../azure/impersonate.js";
import type { Azure } from "../../azure/azure.js";
import { signInCodeIn } from "../../azure/azure-error.js";
import { signedIn } from "../../azure/signed-in.js";
import { defineStep, type Step, type StepIo } from "../../engine/step.js";
import { Failure } from "../../errors/failure.js";
import type { ControlPlaneComponent } from "../../domain/components.js";
import { credentialPem } from "../../domain/credential-secret.js";
import { credentialSecretName } from "../../domain/identity-names.js";
import type { RotationOptions } from "../../domain/rotation.js";
import type { ApplicationOutput } from "../../steps/applications.js";
import type { CredentialOutput } from "./credential-secrets.js";
import { isDue, oldKeysAfterRun } from "./old-keys.js";
import type { RotatedCertificate } from "./rotated-certificate.js";

/** A new certificate of an application is not effective everywhere in Entra at once: passwords take 4 to 18 s. */
const lagCodes: ReadonlySet<string | undefined> = new Set(["AADSTS700027", "AADSTS700016", "AADSTS7000222"]);
const longestLagMs = 5 * 60_000;
const lagPauseMs = 3_000;

export interface ProofNeeds {
  readonly key: Step<ApplicationOutput>;
  readonly certificate: Step<RotatedCertificate>;
  readonly credential: Step<CredentialOutput>;
}

/** Needed only if an older key remains that this run replaces or removes. Returns whether the new credential signed in. */
export function proof(azure: Azure, options: RotationOptions, component: ControlPlaneComponent, needs: ProofNeeds): Step<boolean> {
  const { key, tenantId } = options;
  const name = credentialSecretName(key, component);
  const { clock } = azure.connection;
  return defineStep({
    id: `proof-${component.key}`,
    subject: { kind: "sign-in" },
    title: `sign-in test of ${component.key}`,
    needs: { ...needs },
    // What it proves follows from the outputs, so this sends no request.
    read: (): Promise<{ readonly isProved?: boolean }> => Promise.resolve({}),
    decide(_live, outputs, now) {
      const old = oldKeysAfterRun(clock, options, outputs, now);
      const isNeeded = old.some((key) => key.isReplaced || isDue(clock, options, key, now));
      return isNeeded ? { act: "create", why: "the new credential must sign in before the old one is removed" } : { act: "keep" };
    },
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
      await waitForSignIn(azure, name, signIn, io);
      return { isProved: true };
    },
    output: ({ isProved = false }) => isProved,
  });
}

async function waitForSignIn(azure: Azure, name: string, signIn: () => Promise<void>, io: StepIo): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += lagPauseMs) {
    try {
      await signIn();
      return;
    } catch (error) {
      const code = signInCodeIn(error instanceof Error ? error.message : "");
      if (io.signal.aborted || code === undefined) throw error;
      if (!lagCodes.has(code) || waitedMs >= longestLagMs) {
        throw new Failure("ARO-CRED-001", `the credential in secret "${name}" cannot sign in`, {
          because: `Entra responded with ${code}`,
          azure: { code },
        });
      }
      io.note(`waiting until Entra accepts the new certificate (${code})`);
      await azure.connection.clock.sleep(lagPauseMs, io.signal);
    }
  }
}

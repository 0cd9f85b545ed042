/** The onboarding key of a connected cluster, created once in a directory and kept: Azure does not accept another one later. */
import { join } from "node:path";
import { agentPublicKey, makeOnboardingKey } from "../../domain/arc/key-pair.js";
import { arcFiles } from "../../domain/arc/names.js";
import { defineStep, type Step } from "../../engine/step.js";
import { Failure } from "../../errors/failure.js";
import { Stale } from "../../errors/stale.js";
import { hideOnboardingKey, keepOnboardingKey, readOnboardingKey, type OnboardingKeyFile } from "../../files/arc-files.js";

export interface OnboardingKey {
  readonly path: string;
  /** PEM of PKCS#1. Undefined while the key is only planned, as the public key. */
  readonly privateKey: string | undefined;
  /** As Azure's `agentPublicKeyCertificate`. */
  readonly publicKey: string | undefined;
}

export function onboardingKey(directory: string): Step<OnboardingKey> {
  const path = join(directory, arcFiles.privateKey);
  return defineStep({
    id: "onboarding-key",
    title: `onboarding key in ${directory}`,
    subject: { kind: "file" },
    needs: {},
    read: () => readOnboardingKey(directory),
    decide(live: OnboardingKeyFile | undefined) {
      if (live === undefined) return { act: "create", why: "there is no private key" };
      try {
        agentPublicKey(live.text, path);
      } catch (error) {
        if (error instanceof Failure) return { act: "refuse", failure: error };
        throw error;
      }
      if (!live.exposed) return { act: "keep" };
      const change = { path: "mode of the private key", from: "readable by other users", to: "0600" };
      return { act: "update", why: "the private key is kept", changes: [change] };
    },
    async apply(live, _outputs, { note }): Promise<OnboardingKeyFile> {
      if (live !== undefined) {
        await hideOnboardingKey(directory);
        return { ...live, exposed: false };
      }
      note("creating a 4096-bit key");
      const text = await makeOnboardingKey();
      if (!(await keepOnboardingKey(directory, text))) throw new Stale("another run created it in the meantime");
      return { path, text, exposed: false };
    },
    predict: (): OnboardingKey => ({ path, privateKey: undefined, publicKey: undefined }),
    output: ({ text }): OnboardingKey => ({ path, privateKey: text, publicKey: agentPublicKey(text, path) }),
  });
}

/** The onboarding key of a connected cluster, which is created once in a directory and kept. */
import { join } from "node:path";
import type { Clock } from "../../azure/clock.js";
import { agentPublicKey, makeOnboardingKey } from "../domain/key-pair.js";
import { defineStep, type Step } from "../../engine/step.js";
import { Failure } from "../../errors/failure.js";
import { Stale } from "../../errors/stale.js";
import { keepOnboardingKey, protectOnboardingKey, readOnboardingKey, type OnboardingKeyFile } from "../files/arc-files.js";
import { arcFiles } from "../../domain/directory-files.js";

export interface OnboardingKey {
  readonly path: string;
  /** PEM of PKCS#1. Undefined while the key is only planned, as the public key. */
  readonly privateKey: string | undefined;
  /** The public key as Azure's `agentPublicKeyCertificate`. */
  readonly publicKey: string | undefined;
}

export function onboardingKey(directory: string, clock: Pick<Clock, "now">): Step<OnboardingKey> {
  const path = join(directory, arcFiles.privateKey);
  return defineStep({
    id: "onboarding-key",
    title: `onboarding key in ${directory}`,
    subject: { kind: "file" },
    needs: {},
    read: () => readOnboardingKey(directory, clock.now()),
    decide(live: OnboardingKeyFile | undefined) {
      if (live === undefined) return { act: "create", why: "there is no private key" };
      try {
        agentPublicKey(live.text, path);
      } catch (error) {
        if (error instanceof Failure) return { act: "refuse", failure: error };
        throw error;
      }
      const changes = [
        ...(live.exposed ? [{ path: "mode of the private key", from: "readable by other users", to: "0600" }] : []),
        ...live.abandoned.map((file) => ({ path: file, from: "private key left by an interrupted run", to: undefined })),
      ];
      return changes.length === 0 ? { act: "keep" } : { act: "update", why: "the private key is kept", changes };
    },
    async apply(live, _outputs, { note }): Promise<OnboardingKeyFile> {
      if (live === undefined) {
        note("creating a 4096-bit key");
        if (!(await keepOnboardingKey(directory, await makeOnboardingKey()))) throw new Stale("another run created it in the meantime");
      }
      const file = await readOnboardingKey(directory, clock.now());
      if (file === undefined) throw new Stale("it was deleted in the meantime");
      await protectOnboardingKey(file);
      return { ...file, exposed: false, abandoned: [] };
    },
    predict: (): OnboardingKey => ({ path, privateKey: undefined, publicKey: undefined }),
    output: ({ text }): OnboardingKey => ({ path, privateKey: text, publicKey: agentPublicKey(text, path) }),
  });
}

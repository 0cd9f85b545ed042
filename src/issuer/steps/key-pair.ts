/** The signing key of service-account tokens, which is created once in a directory and kept. */
import type { Clock } from "../../azure/clock.js";
import { defineStep, type Step } from "../../engine/step.js";
import { hidePrivateKey, keepPrivateKey, readKeyPair, removeAbandoned, writePublicKey, type KeyPairFiles } from "../files/key-pair.js";
import { Failure } from "../../errors/failure.js";
import { Stale } from "../../errors/stale.js";
import { refuse } from "../../steps/ownership-decision.js";
import { jwkOf, makePrivateKey, publicHalf, type Jwk } from "../../oidc/signing-key.js";

export interface KeyPairOutput {
  readonly privateFile: string;
  readonly publicFile: string;
  readonly keys: readonly Jwk[];
}

export function keyPair(directory: string, clock: Pick<Clock, "now">): Step<KeyPairOutput> {
  return defineStep({
    id: "key-pair",
    subject: { kind: "file" },
    title: `signing key in ${directory}`,
    needs: {},
    async read(): Promise<KeyPairFiles | undefined> {
      const files = await readKeyPair(directory, clock.now());
      return files.privatePem === undefined && files.publicPem === undefined ? undefined : files;
    },
    decide(live) {
      if (!live) return { act: "create", why: "there is no private key" };
      // No run leaves a public key without a private key: the private key is written first.
      if (live.privatePem === undefined) {
        return refuse("ARO-KEY-001", `${live.publicFile} exists, but its private key does not`, {
          because: "a new key pair would replace it, but the cluster may still sign with the old one",
          next: [`restore the private key as ${live.privateFile}`, `or move ${live.publicFile} away, to create a new key pair`],
        });
      }
      try {
        const { exposed, publicPem, abandoned } = live;
        const changes = [
          ...(exposed ? [{ path: "mode of the private key", from: "readable by other users", to: "0600" }] : []),
          ...(publicPem === publicHalfOf(live)
            ? []
            : [{ path: "public key", from: publicPem === undefined ? "absent" : "of another key", to: "of this key" }]),
          ...abandoned.map((file) => ({ path: file, from: "private key left by an interrupted run", to: undefined })),
        ];
        return changes.length === 0 ? { act: "keep" } : { act: "update", why: "the private key is kept", changes };
      } catch (error) {
        if (error instanceof Failure) return { act: "refuse", failure: error };
        throw error;
      }
    },
    async apply(live, _outputs, { note, signal }): Promise<KeyPairFiles> {
      if (live === undefined) {
        note("creating a 4096-bit key");
        const privatePem = await makePrivateKey();
        signal.throwIfAborted();
        if (!(await keepPrivateKey(directory, privatePem))) throw new Stale("another run created it in the meantime");
      }
      const files = await readKeyPair(directory, clock.now());
      if (files.exposed) await hidePrivateKey(directory);
      const publicPem = publicHalfOf(files);
      if (publicPem !== files.publicPem) await writePublicKey(directory, publicPem);
      await removeAbandoned(files);
      return { ...files, exposed: false, publicPem, abandoned: [] };
    },
    output: (live) => ({
      privateFile: live.privateFile,
      publicFile: live.publicFile,
      keys: [jwkOf(publicHalfOf(live), live.privateFile)],
    }),
  });
}

function publicHalfOf({ privatePem = "", privateFile }: KeyPairFiles): string {
  return publicHalf(privatePem, privateFile);
}

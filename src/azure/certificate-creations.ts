/** Certificates in the making: until the first version is there, a vault shows neither the certificate nor its tags. */
import type { CertificateClient, CertificateOperation } from "@azure/keyvault-certificates";
import type { Azure } from "./azure.js";
import { certificateCreation } from "./expected-durations.js";
import { found, inFlightIntervalMs } from "./long-running.js";

export async function isPending(certificates: CertificateClient, name: string): Promise<boolean> {
  return (await creationOf(certificates, name))?.status === "inProgress";
}

/** The last creation of a version; undefined if the vault no longer knows it. */
export async function creationOf(certificates: CertificateClient, name: string): Promise<CertificateOperation | undefined> {
  // Resumed, because the SDK otherwise reads the certificate first, and that does not exist before the end of its first creation.
  const resumeFrom = JSON.stringify({ state: { certificateName: name, isStarted: true } });
  const operation = await found(certificates.getCertificateOperation(name, { resumeFrom }));
  return operation?.getOperationState().certificateOperation;
}

/**
 * A create that was interrupted may have asked for the first version: until that is there, nothing shows whose the certificate is. False if it is
 * still not there after the longest time that a self-signed one takes: then its issuer is another one, so it is not ours.
 */
export async function creationEnded({ connection }: Azure, certificates: CertificateClient, name: string): Promise<boolean> {
  const longestMs = certificateCreation.spread[3] * 1000;
  for (let waitedMs = 0; await isPending(certificates, name); waitedMs += inFlightIntervalMs) {
    if (waitedMs >= longestMs) return false;
    await connection.clock.sleep(inFlightIntervalMs, connection.current()?.signal);
  }
  return true;
}

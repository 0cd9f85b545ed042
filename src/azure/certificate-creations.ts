/** Certificates in the making: until the first version is there, a vault shows neither the certificate nor its tags. */
import type { CertificateClient, CertificateOperation } from "@azure/keyvault-certificates";
import { found } from "./long-running.js";

/** Whether a version is being created. */
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

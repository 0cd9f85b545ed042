/** What signs in by a certificate, in a file of its own so that the others need not load. */
export { ClientCertificateCredential } from "@azure/identity";

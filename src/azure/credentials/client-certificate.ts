/** The credential for client certificates, in its own file so that the other credentials are not loaded with it. */
export { ClientCertificateCredential } from "@azure/identity";

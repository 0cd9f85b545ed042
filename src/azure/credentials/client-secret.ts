/** What signs in by a client secret, in a file of its own so that the others need not load. */
export { ClientSecretCredential } from "@azure/identity";

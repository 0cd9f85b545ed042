/** The credential for client secrets, in its own file so that the other credentials are not loaded with it. */
export { ClientSecretCredential } from "@azure/identity";

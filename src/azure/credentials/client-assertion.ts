/** The credential for workload identity tokens, in its own file so that the other credentials are not loaded with it. */
export { ClientAssertionCredential } from "@azure/identity";

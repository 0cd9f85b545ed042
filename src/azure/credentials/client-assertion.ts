/** What signs in by a token of a workload, in a file of its own so that the others need not load. */
export { ClientAssertionCredential } from "@azure/identity";

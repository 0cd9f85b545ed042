/** What signs in by whatever the SDK finds, in a file of its own so that the others need not load. */
export { DefaultAzureCredential } from "@azure/identity";

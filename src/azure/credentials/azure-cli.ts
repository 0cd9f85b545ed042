/** The credential of az, in its own file so that the other credentials are not loaded with it. */
export { AzureCliCredential } from "@azure/identity";

/** The SDK's default credential chain, in its own file so that the other credentials are not loaded with it. */
export { DefaultAzureCredential } from "@azure/identity";

/** The endpoints of the cloud, which everybody may read: clients configure themselves from them. */
import { missingApiVersion } from "../../arm/errors.js";
import type { Answer, ApiRequest, Call } from "../../core/service.js";

export function asksForMetadata({ method, path }: Pick<ApiRequest, "method" | "path">): boolean {
  return method === "GET" && path.join("/").toLowerCase() === "metadata/endpoints";
}

const loginEndpoint = "https://login.microsoftonline.com";
const audiences = ["https://management.core.windows.net/", "https://management.azure.com/"];

/** Azure's public values. */
const cloud = {
  portal: "https://portal.azure.com",
  authentication: { loginEndpoint, audiences, tenant: "common", identityProvider: "AAD" },
  media: "https://rest.media.azure.net",
  graphAudience: "https://graph.windows.net/",
  graph: "https://graph.windows.net/",
  name: "AzureCloud",
  suffixes: {
    azureDataLakeStoreFileSystem: "azuredatalakestore.net",
    acrLoginServer: "azurecr.io",
    sqlServerHostname: "database.windows.net",
    azureDataLakeAnalyticsCatalogAndJob: "azuredatalakeanalytics.net",
    keyVaultDns: "vault.azure.net",
    storage: "core.windows.net",
    azureFrontDoorEndpointSuffix: "azurefd.net",
    storageSyncEndpointSuffix: "afs.azure.net",
    mhsmDns: "managedhsm.azure.net",
    mysqlServerEndpoint: "mysql.database.azure.com",
    postgresqlServerEndpoint: "postgres.database.azure.com",
    mariadbServerEndpoint: "mariadb.database.azure.com",
    synapseAnalytics: "dev.azuresynapse.net",
  },
  batch: "https://batch.core.windows.net/",
  resourceManager: "https://management.azure.com/",
  vmImageAliasDoc: "https://raw.githubusercontent.com/Azure/azure-rest-api-specs/master/arm-compute/quickstart-templates/aliases.json",
  activeDirectoryDataLake: "https://datalake.azure.net/",
  sqlManagement: "https://management.core.windows.net:8443/",
  microsoftGraphResourceId: "https://graph.microsoft.com/",
  appInsightsResourceId: "https://api.applicationinsights.io",
  appInsightsTelemetryChannelResourceId: "https://dc.applicationinsights.azure.com/v2/track",
  attestationResourceId: "https://attest.azure.net",
  synapseAnalyticsResourceId: "https://dev.azuresynapse.net",
  logAnalyticsResourceId: "https://api.loganalytics.io",
  ossrDbmsResourceId: "https://ossrdbms-aad.database.windows.net",
};

const oldest = {
  galleryEndpoint: "https://gallery.azure.com/",
  graphEndpoint: cloud.graph,
  portalEndpoint: `${cloud.portal}/`,
  authentication: { loginEndpoint: `${loginEndpoint}/`, audiences },
};

/** Versions before 2018 have another form; those before 2022-09-01 answer a list of clouds, here of one. */
export function cloudMetadata(call: Call): Answer {
  const version = call.request.query.get("api-version") ?? "";
  if (version === "") throw missingApiVersion();
  const body = version < "2018" ? oldest : version < "2022-09-01" ? [cloud] : cloud;
  return { status: 200, body, takes: call.sample("read") };
}

/** What a security rule can name as addresses: all of them, an address or range, or one of Azure's service tags. */
import ipaddr from "ipaddr.js";
import { ApiError } from "../../../core/service.js";
import { readRange } from "./cidr.js";

/** Azure's published tags, without the regions that most of them may have: "Storage.EastUS". */
const tags = new Set(
  `ActionGroup ApiManagement AppConfiguration ApplicationInsightsAvailability AppService AppServiceManagement AzureActiveDirectory
  AzureActiveDirectoryDomainServices AzureAdvancedThreatProtection AzureArcInfrastructure AzureAttestation AzureBackup AzureBotService
  AzureCloud AzureCognitiveSearch AzureConnectors AzureContainerAppsService AzureContainerRegistry AzureCosmosDB AzureDatabricks
  AzureDataExplorerManagement AzureDeviceUpdate AzureDevOps AzureDigitalTwins AzureEventGrid AzureFrontDoor AzureHealthcareAPIs
  AzureInformationProtection AzureIoTHub AzureKeyVault AzureLoadBalancer AzureMachineLearning AzureMachineLearningInference AzureMonitor
  AzureOpenDatasets AzurePlatformDNS AzurePlatformIMDS AzurePlatformLKM AzureResourceManager AzureSentinel AzureSignalR AzureSiteRecovery
  AzureSphere AzureSpringCloud AzureStack AzureTrafficManager AzureUpdateDelivery AzureVideoIndexer AzureWebPubSub BatchNodeManagement
  ChaosStudio CognitiveServicesFrontend CognitiveServicesManagement CorpNetPublic CorpNetSaw DataFactory DataFactoryManagement
  EventHub GatewayManager GenevaActions GuestAndHybridManagement HDInsight Internet KustoAnalytics LogicApps LogicAppsManagement
  M365ManagementActivityApi MicrosoftAzureFluidRelay MicrosoftCloudAppSecurity MicrosoftContainerRegistry MicrosoftDefenderForEndpoint
  MicrosoftPurviewPolicyDistribution OneDsCollector PowerBI PowerPlatformInfra PowerPlatformPlex PowerQueryOnline Scuba SerialConsole
  ServiceBus ServiceFabric Sql SqlManagement Storage StorageSyncService VirtualNetwork WindowsAdminCenter WindowsVirtualDesktop`
    .toLowerCase()
    .split(/\s+/),
);

/** @throws ApiError 400 SecurityRuleInvalidAddressPrefix */
export function checkAddressPrefix(value: string): void {
  if (value === "*" || tags.has(value.toLowerCase().split(".")[0] ?? "") || isAddresses(value)) return;
  throw new ApiError(400, "SecurityRuleInvalidAddressPrefix", `Security rule has invalid Address prefix. Value provided: ${value}`);
}

/** An address, or a range whose address is its first. */
function isAddresses(value: string): boolean {
  if (!value.includes("/")) return ipaddr.isValid(value) && (ipaddr.IPv6.isValid(value) || ipaddr.IPv4.isValidFourPartDecimal(value));
  try {
    readRange(value, "");
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

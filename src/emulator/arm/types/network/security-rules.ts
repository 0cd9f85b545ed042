/** Security rules: the body, its rules, service tags, and the six rules that Azure adds to every network security group. */
import { z } from "zod";
import { ApiError } from "../../../core/service.js";
import { known, oneOf, partName, reference } from "../../body-schema.js";
import ipaddr from "ipaddr.js";
import { readRange } from "./cidr.js";

const readOnly = ["id", "etag", "type"];

const ruleProperties = known(
  {
    description: z.string().max(140).optional(),
    protocol: oneOf("Tcp", "Udp", "Icmp", "Esp", "Ah", "*"),
    sourcePortRange: z.string().optional(),
    sourcePortRanges: z.array(z.string()).default([]),
    destinationPortRange: z.string().optional(),
    destinationPortRanges: z.array(z.string()).default([]),
    sourceAddressPrefix: z.string().optional(),
    sourceAddressPrefixes: z.array(z.string()).default([]),
    destinationAddressPrefix: z.string().optional(),
    destinationAddressPrefixes: z.array(z.string()).default([]),
    sourceApplicationSecurityGroups: z.array(reference).optional(),
    destinationApplicationSecurityGroups: z.array(reference).optional(),
    access: oneOf("Allow", "Deny"),
    priority: z.int(),
    direction: oneOf("Inbound", "Outbound"),
  },
  ["provisioningState"],
);

/** The body of a single rule; its name is in the path. */
export const ruleBody = known({ name: z.string().optional(), properties: ruleProperties }, readOnly);

export const inlineRule = known({ name: partName, properties: ruleProperties }, readOnly);

export type SecurityRule = z.output<typeof inlineRule>;

/** Priorities are within Azure's bounds, and no two rules of one direction have the same. */
export function checkRules(rules: readonly SecurityRule[]): void {
  const namesBySlot = new Map<string, string>();
  for (const { name, properties } of rules) {
    if (properties.priority < 100 || properties.priority > 4096) {
      throw new ApiError(
        400,
        "SecurityRuleInvalidPriority",
        `Security rule has invalid Priority. Value provided: ${String(properties.priority)} Allowed range 100-4096.`,
      );
    }
    for (const side of ["source", "destination"] as const) {
      checkSide(name, properties, side);
    }
    const slot = `${properties.direction} ${String(properties.priority)}`;
    const other = namesBySlot.get(slot);
    if (other !== undefined) {
      throw new ApiError(
        400,
        "SecurityRuleConflict",
        `Security rule ${other} conflicts with rule ${name}. Rules cannot have the same Priority and Direction. To learn more, see aka.ms/nsgrules.`,
      );
    }
    namesBySlot.set(slot, name);
  }
}

/** Each side of a rule names its addresses and ports, in the singular or the plural member. */
function checkSide(rule: string, properties: SecurityRule["properties"], side: "source" | "destination"): void {
  const addresses = [
    properties[`${side}AddressPrefix`],
    ...properties[`${side}AddressPrefixes`],
    ...(properties[`${side}ApplicationSecurityGroups`] ?? []),
  ];
  for (const one of addresses) if (typeof one === "string") checkAddressPrefix(one);
  const ports = [properties[`${side}PortRange`], ...properties[`${side}PortRanges`]];
  for (const [what, given] of [
    ["AddressPrefix", addresses],
    ["PortRange", ports],
  ] as const) {
    if (given.every((value) => value === undefined)) {
      throw new ApiError(
        400,
        "SecurityRuleInvalidParameter",
        `Required security rule parameters are missing for security rule with Id: ${rule}. Security rule must specify ${side}${what}.`,
      );
    }
  }
}

type Default = readonly [
  name: string,
  direction: "Inbound" | "Outbound",
  priority: number,
  access: "Allow" | "Deny",
  from: string,
  to: string,
  description: string,
];

const [network, balancer, internet] = ["VirtualNetwork", "AzureLoadBalancer", "Internet"];

const defaults: readonly Default[] = [
  ["AllowVnetInBound", "Inbound", 65000, "Allow", network, network, "Allow inbound traffic from all VMs in VNET"],
  ["AllowAzureLoadBalancerInBound", "Inbound", 65001, "Allow", balancer, "*", "Allow inbound traffic from azure load balancer"],
  ["DenyAllInBound", "Inbound", 65500, "Deny", "*", "*", "Deny all inbound traffic"],
  ["AllowVnetOutBound", "Outbound", 65000, "Allow", network, network, "Allow outbound traffic from all VMs to all VMs in VNET"],
  ["AllowInternetOutBound", "Outbound", 65001, "Allow", "*", internet, "Allow outbound traffic from all VMs to Internet"],
  ["DenyAllOutBound", "Outbound", 65500, "Deny", "*", "*", "Deny all outbound traffic"],
];

/** What Azure answers as `defaultSecurityRules` of every group. */
export const defaultRules: readonly SecurityRule[] = defaults.map(([name, direction, priority, access, from, to, description]) => ({
  name,
  properties: {
    description,
    protocol: "*",
    sourcePortRange: "*",
    sourcePortRanges: [],
    destinationPortRange: "*",
    destinationPortRanges: [],
    sourceAddressPrefix: from,
    sourceAddressPrefixes: [],
    destinationAddressPrefix: to,
    destinationAddressPrefixes: [],
    access,
    priority,
    direction,
  },
}));

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
function checkAddressPrefix(value: string): void {
  if (value === "*" || tags.has(value.toLowerCase().split(".")[0] ?? "") || isAddresses(value)) return;
  throw new ApiError(400, "SecurityRuleInvalidAddressPrefix", `Security rule has invalid Address prefix. Value provided: ${value}`);
}

/** An address, also as one number as Azure reads it, or a range whose address is its first. */
function isAddresses(value: string): boolean {
  if (/^\d{1,10}$/.test(value)) return Number(value) < 2 ** 32;
  if (!value.includes("/")) return ipaddr.isValid(value) && (ipaddr.IPv6.isValid(value) || ipaddr.IPv4.isValidFourPartDecimal(value));
  try {
    readRange(value, "");
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** The services to which a subnet can be delegated, and what each may do there. */
import { inSubscription, type Endpoint } from "../../endpoint.js";
import { findGroup } from "../../scopes.js";
import { requireRight } from "../../authorization-check.js";
import { networkVersions } from "./provider.js";

const subnets = "Microsoft.Network/virtualNetworks/subnets";
const joins = [`${subnets}/join/action`];
const acts = [`${subnets}/action`];
const joinsInterfaces = ["Microsoft.Network/networkinterfaces/*", ...joins];
const joinsWithPolicies = [...joins, `${subnets}/prepareNetworkPolicies/action`, `${subnets}/unprepareNetworkPolicies/action`];

/** By service, in the order of Azure's list. */
const services: Readonly<Record<string, readonly string[]>> = {
  "Microsoft.Web/serverFarms": acts,
  "Microsoft.ContainerInstance/containerGroups": acts,
  "Microsoft.Netapp/volumes": joinsInterfaces,
  "Microsoft.HardwareSecurityModules/dedicatedHSMs": joinsInterfaces,
  "Microsoft.ServiceFabricMesh/networks": acts,
  "Microsoft.Logic/integrationServiceEnvironments": acts,
  "Microsoft.Batch/batchAccounts": acts,
  "Microsoft.Sql/managedInstances": joinsWithPolicies,
  "Microsoft.Web/hostingEnvironments": acts,
  "Microsoft.Databricks/workspaces": joinsWithPolicies,
  "Microsoft.StreamAnalytics/streamingJobs": joins,
  "Microsoft.DBforPostgreSQL/serversv2": joins,
  "Microsoft.AzureCosmosDB/clusters": joins,
  "Microsoft.MachineLearningServices/workspaces": joins,
  "Microsoft.DBforPostgreSQL/flexibleServers": joins,
  "Microsoft.DBforMySQL/serversv2": joins,
  "Microsoft.DBforMySQL/flexibleServers": joins,
  "Microsoft.ApiManagement/service": [...joins, `${subnets}/prepareNetworkPolicies/action`],
  "Microsoft.Synapse/workspaces": joins,
  "Microsoft.PowerPlatform/enterprisePolicies": joins,
  "Microsoft.PowerPlatform/vnetaccesslinks": joins,
  "Microsoft.Kusto/clusters": joinsWithPolicies,
  "Microsoft.DelegatedNetwork/controller": joins,
  "Microsoft.ContainerService/managedClusters": joins,
  "Microsoft.StoragePool/diskPools": ["Microsoft.Network/virtualNetworks/read"],
  "Microsoft.DocumentDB/cassandraClusters": joins,
  "Microsoft.App/environments": joins,
  "Microsoft.ServiceNetworking/trafficControllers": joins,
  "Microsoft.LabServices/labplans": joins,
  "Microsoft.DevCenter/networkConnection": joins,
  "Microsoft.Network/dnsResolvers": joins,
  "Microsoft.AVS/PrivateClouds": ["Microsoft.Network/networkinterfaces/*"],
  "Qumulo.Storage/fileSystems": joins,
  "NGINX.NGINXPLUS/nginxDeployments": joins,
  "PaloAltoNetworks.Cloudngfw/firewalls": joins,
};

/** In any case of the name, as clients write it. A service that the table does not have may join the subnet, as most may. */
export function delegatedActions(service: string): readonly string[] {
  return Object.entries(services).find(([name]) => name.toLowerCase() === service.toLowerCase())?.[1] ?? joins;
}

const type = "Microsoft.Network/availableDelegations";

/** `home` has "resourceGroup" where an ID has "resourceGroups": so does Azure's. */
function listed(home: string) {
  const value = Object.entries(services).map(([serviceName, actions]) => {
    const name = serviceName.replace("/", ".");
    return { name, id: `${home}/providers/${type}/${name}`, type, serviceName, actions };
  });
  return { value };
}

const path = "Microsoft.Network/locations/{location}/availableDelegations";

export const delegationEndpoints: readonly Endpoint[] = [
  inSubscription({ path, versions: networkVersions, body: (_call, scope) => listed(scope) }),
  {
    method: "GET",
    path: `/subscriptions/{subscriptionId}/resourceGroups/{group}/providers/${path}`,
    versions: networkVersions,
    handle(call, { subscriptionId = "", group = "" }) {
      const { id, name } = findGroup(call, subscriptionId, group);
      requireRight(call, "Microsoft.Network/locations/availableDelegations/read", id);
      return {
        status: 200,
        body: listed(`/subscriptions/${subscriptionId}/resourceGroup/${name}`),
        takes: call.sample("read"),
      };
    },
  },
];

/** Load balancers: their parts are written and answered with them, refer to each other by ID, and list their references. */
import { ApiError } from "../../../service.js";
import type { StoredResource, AzureState } from "../../../state/state.js";
import { isWithin } from "../../resource-id.js";
import { defineType } from "../../resource-type.js";
import { isRecord, networkNames } from "../body-schema.js";
import { directUsersOf, sameId, usesWithin } from "../uses.js";
import { checkNames } from "./children.js";
import { checkReferences, joinRights, missingReference } from "./references.js";
import { loadBalancerBody, type LoadBalancerBody } from "./load-balancer-body.js";
import { networkDelete, networkPut, trackedType } from "./resource.js";

const typeName = "Microsoft.Network/loadBalancers";

export const loadBalancers = defineType<LoadBalancerBody>({
  name: typeName,
  ...trackedType,
  ...networkNames(1, 80),
  body: loadBalancerBody,
  latency: { put: "loadBalancer.put", delete: "loadBalancer.delete", inGroup: "loadBalancer" },
  put: networkPut("PutLoadBalancerOperation", 3, 10),
  delete: networkDelete("DeleteLoadBalancerOperation", 10),
  lock: { on: "self", second: "supersede" },
  links: ({ properties: { frontendIPConfigurations, backendAddressPools } }) =>
    joinRights({ frontendIPConfigurations, backendAddressPools }),
  check(put) {
    for (const parts of Object.values(put.body.properties)) checkNames(put.id, parts);
    checkOwnParts(put.id, put.body.properties);
    checkReferences(put, put.body.location);
    checkAddresses(put.state, put.id, put.body);
  },
  store: ({ call, body: { properties }, existing }) => ({
    ...properties,
    resourceGuid: existing?.properties["resourceGuid"] ?? call.uuid(),
  }),
  present: presentParts,
});

/** References between parts of one load balancer must name parts of the same body. */
function checkOwnParts(id: string, properties: LoadBalancerBody["properties"]): void {
  const parts = Object.entries(properties).flatMap(([collection, held]) => held.map(({ name }) => `${id}/${collection}/${name}`));
  for (const { from, to } of usesWithin(id, properties)) {
    if (isWithin(to, id) && !parts.some((own) => sameId(own, to))) {
      throw missingReference(from, to);
    }
  }
}

/** A public IP address serves one frontend, and its SKU is the load balancer's. */
function checkAddresses(state: AzureState, id: string, { sku, properties }: LoadBalancerBody): void {
  for (const { name, properties: held } of properties.frontendIPConfigurations) {
    if (held.publicIPAddress === undefined) continue;
    const address = held.publicIPAddress.id;
    const other = directUsersOf(state, address).find(({ from }) => !isWithin(from, id));
    if (other !== undefined) {
      throw new ApiError(
        400,
        "PublicIPAddressInUse",
        `Resource ${id}/frontendIPConfigurations/${name} is referencing public IP address ${address} that is already allocated to resource ${other.from}.`,
      );
    }
    const addressSku = state.resources[address.toLowerCase()]?.sku?.["name"];
    if (addressSku !== sku.name) {
      throw new ApiError(
        400,
        "PublicIPAndLBSkuDoNotMatch",
        `${sku.name} sku load balancer ${id} cannot reference ${String(addressSku)} sku publicIP ${address}.`,
      );
    }
  }
}

/** Members that Azure adds to a part: which collection points at it, through which member, and under which name. */
const pointers = [
  { to: "frontendIPConfigurations", from: "loadBalancingRules" },
  { to: "frontendIPConfigurations", from: "outboundRules" },
  { to: "backendAddressPools", from: "loadBalancingRules" },
  { to: "backendAddressPools", from: "outboundRules" },
  { to: "probes", from: "loadBalancingRules" },
] as const;

function presentParts(state: AzureState, { id, etag, properties }: StoredResource): Record<string, unknown> {
  const uses = usesWithin(id, properties);
  return Object.fromEntries(
    Object.entries(properties).map(([collection, held]) => [
      collection,
      Array.isArray(held) ? held.filter(isRecord).map((item) => presentPart(collection, item)) : held,
    ]),
  );

  function presentPart(collection: string, item: Record<string, unknown>): Record<string, unknown> {
    const partId = `${id}/${collection}/${String(item["name"])}`;
    const own = isRecord(item["properties"]) ? item["properties"] : {};
    const pointing = pointers
      .filter(({ to }) => to === collection)
      .map(({ from }) => [from, usersAmong(`${id}/${from}/`, partId)] as const)
      .filter(([, users]) => users.length > 0);
    const interfaces = collection === "backendAddressPools" ? directUsersOf(state, partId).filter(({ from }) => !isWithin(from, id)) : [];
    return {
      ...item,
      id: partId,
      etag,
      type: `${typeName}/${collection}`,
      properties: {
        provisioningState: properties["provisioningState"],
        ...own,
        ...Object.fromEntries(pointing),
        ...(interfaces.length === 0 ? {} : { backendIPConfigurations: interfaces.map(({ from }) => ({ id: from })) }),
      },
    };
  }

  function usersAmong(prefix: string, target: string): { id: string }[] {
    return uses.filter(({ from, to }) => from.startsWith(prefix) && sameId(to, target)).map(({ from }) => ({ id: from }));
  }
}

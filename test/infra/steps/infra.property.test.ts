/** The graph of a cluster's infrastructure is valid for any existing resources and any groups. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { offlineAzure } from "../../../src/azure/offline-azure.js";
import { buildGraph } from "../../../src/engine/graph.js";
import { assignedComponents } from "../../../src/domain/components.js";
import { defaultEgress, egressTypes } from "../../../src/domain/egress.js";
import type { InfraSpec } from "../../../src/domain/infra-spec.js";
import { infraGraph } from "../../../src/infra/steps/infra.js";

const subscription = "/subscriptions/5b5c0000-0000-4000-8000-000000000001";
const network = (group: string, path: string) => `${subscription}/resourceGroups/${group}/providers/Microsoft.Network/${path}`;

/** Names that may coincide, in one casing or another. */
const group = fc.constantFrom("mine", "MINE", "net", "dns");
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const specs: fc.Arbitrary<InfraSpec> = fc
  .record({
    naming: fc.constantFrom("documented" as const, "hypershift" as const),
    existingGroup: maybe(group),
    singleResourceGroup: fc.boolean(),
    egress: fc.constantFrom(...egressTypes),
    nsgGroup: maybe(group),
    vnetGroup: maybe(group),
    subnet: fc.boolean(),
    dnsZoneGroup: maybe(group),
    components: maybe(fc.subarray([...assignedComponents])),
    customHcpRoles: fc.boolean(),
  })
  .map(({ naming, existingGroup, singleResourceGroup, egress, nsgGroup, vnetGroup, subnet, dnsZoneGroup, components, customHcpRoles }) => {
    const vnetId = vnetGroup === undefined ? undefined : network(vnetGroup, "virtualNetworks/theirs");
    return {
      cluster: { name: "demo", infraId: "demo-x7k2" },
      subscriptionId: subscription.slice("/subscriptions/".length),
      location: "eastus",
      baseDomain: "hcp.example.com",
      naming,
      vnetCidr: "10.0.0.0/16",
      subnetCidr: "10.0.0.0/24",
      egress: { ...defaultEgress, type: egress },
      groupTags: {},
      existingGroup,
      singleResourceGroup,
      existing: {
        networkSecurityGroupId: nsgGroup === undefined ? undefined : network(nsgGroup, "networkSecurityGroups/theirs"),
        vnetId,
        subnetId: subnet && vnetId !== undefined ? `${vnetId}/subnets/workers` : undefined,
      },
      dnsZoneGroup,
      roles:
        components === undefined
          ? undefined
          : {
              assignees: components.map((component, at) => ({ component, clientId: `client-${String(at)}` })),
              customHcpRoles,
              assigns: true,
              identities: { title: "identity set demo", replace: false },
            },
    };
  });

test("the graph has no cycle and no missing need, every container is a need, and it contains all steps of the document", () => {
  fc.assert(
    fc.property(specs, (spec) => {
      const { steps, documented } = infraGraph(offlineAzure(), spec);
      expect(buildGraph(steps).order).toHaveLength(steps.length);
      for (const step of steps) if (step.within !== undefined) expect(step.needs).toContain(step.within);
      for (const step of Object.values(documented)) expect(steps).toContain(step);
    }),
  );
});

test("no two steps create the same resource", () => {
  fc.assert(
    fc.property(specs, (spec) => {
      const ids = infraGraph(offlineAzure(), spec).steps.flatMap(({ resourceId }) => resourceId?.toLowerCase() ?? []);
      expect(ids).toHaveLength(new Set(ids).size);
    }),
  );
});

test("for an existing network, no group, network or network security group is created", () => {
  fc.assert(
    fc.property(specs, (spec) => {
      fc.pre(spec.existing.vnetId !== undefined);
      const titles = infraGraph(offlineAzure(), spec).steps.map(({ title }) => title);
      expect(titles.filter((title) => /demo-demo-x7k2-(?:vnet|nsg)|demo-(?:vnet|nsg)-/.test(title))).toEqual([]);
    }),
  );
});

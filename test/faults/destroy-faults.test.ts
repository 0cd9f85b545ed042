/** Answers of Azure that `destroy infra` meets: what passes is got over, what lasts is explained, and the same command later completes it. */
import { expect, test } from "vitest";
import { groupId, groups, ids, inGroup } from "../cli/demo-cluster.js";
import { localAzure, type LocalAzure } from "../harness/local-azure.js";
import { always, create, destroy, poll, remove, run, type FaultRule } from "./fault-runs.js";
import { recorded } from "./recorded-answers.js";

async function withDemo(): Promise<{ azure: LocalAzure; before: Awaited<ReturnType<LocalAzure["snapshot"]>> }> {
  const azure = await localAzure();
  const before = await azure.snapshot();
  await run(azure, create, 0);
  return { azure, before };
}

const letGo = "a resource that used it is still being released";

/** Faults that strike different requests do not meet: one run gets over several of a kind. */
const passing: readonly { readonly title: string; readonly faults: readonly FaultRule[]; readonly says: readonly string[] }[] = [
  {
    title: "what is in use for a moment, and locks by other operations",
    faults: [
      { ...remove.vnet, times: 2, answer: recorded.inUseSubnet },
      { ...remove.vnet, nth: 3, answer: recorded.dueToAnotherOperation },
      { ...remove.nsg, answer: recorded.inUseNsg },
      { ...remove.address, answer: recorded.inUseAddress },
      { ...remove.address, nth: 2, answer: recorded.anotherOperationInProgress },
      { ...remove.zone, answer: recorded.nestedResources },
    ],
    says: [letGo, "another operation on it is in progress"],
  },
  {
    title: "connections reset before and after deletes took effect",
    faults: [
      { ...remove.balancer, reset: true, when: "after" },
      { ...remove.vnet, reset: true },
      { ...remove.group, nth: 2, reset: true, when: "after" },
    ],
    says: ["the connection was lost"],
  },
  {
    title: "everything already gone",
    faults: [
      { ...remove.balancer, when: "after", answer: recorded.resourceNotFound },
      { ...remove.zone, when: "after", answer: recorded.parentNotFound },
      { ...remove.group, when: "after", answer: recorded.groupNotFound },
    ],
    says: [],
  },
  {
    title: "Azure's hiccups on deletes and polls, and deletions that it has forgotten",
    faults: [
      { ...remove.nsg, answer: recorded.internalServerError },
      { ...remove.vnet, when: "after", answer: recorded.gatewayTimeout },
      { ...poll.groupDeletion, times: 2, answer: recorded.html503 },
      { ...poll.groupDeletion, nth: 3, answer: recorded.operationGone },
      { ...poll.network, answer: recorded.badGateway },
      { ...poll.privateDns, answer: recorded.operationGone },
    ],
    says: ["Azure had a temporary error", "looking again"],
  },
];

test.each(passing)("destroy gets over $title", async ({ faults, says }) => {
  const { azure, before } = await withDemo();
  const { stderr } = await run(azure, destroy, 0, { faults });
  for (const words of says) expect(stderr).toContain(words);
  expect(await azure.snapshot()).toEqual(before);
});

const lasting: readonly { readonly title: string; readonly faults: readonly FaultRule[]; readonly code: string; readonly says: string }[] =
  [
    {
      title: "ResourceGroupDeletionBlocked by what blocks it",
      faults: [{ ...poll.groupDeletion, ...always, answer: recorded.deletionBlocked }],
      code: "ARO-DELETE-001",
      says: "Subnet default is in use by /s/networkInterfaces/n",
    },
    {
      title: "ResourceGroupDeletionTimeout",
      faults: [{ ...poll.groupDeletion, ...always, answer: recorded.deletionTimeout }],
      code: "ARO-DELETE-002",
      says: "did not finish within the allowed time",
    },
    {
      title: "an address that stays in use",
      faults: [{ ...remove.address, ...always, answer: recorded.inUseAddress }],
      code: "ARO-DELETE-001",
      says: "still allocated to resource",
    },
    {
      title: "an Azure that stays down",
      faults: [{ ...remove.balancer, ...always, answer: recorded.serverTimeout }],
      code: "ARO-AZURE-002",
      says: "a support request with the request ID",
    },
  ];

test.each(lasting)("destroy explains $title, and the next one completes it", async ({ faults, code, says }) => {
  const { azure, before } = await withDemo();
  const { stderr } = await run(azure, destroy, 1, { faults });
  expect(stderr).toContain(`[${code}]`);
  expect(stderr).toContain(says);
  await run(azure, destroy, 0);
  expect(await azure.snapshot()).toEqual(before);
});

/** A network interface of somebody else, in a group of its own. */
function foreignInterface(properties: Readonly<Record<string, unknown>>) {
  return {
    resources: {
      [groupId("others")]: { location: "eastus" },
      [inGroup("others", "networkInterfaces/theirs")]: { location: "eastus", properties },
    },
  };
}

test("a subnet and a security group that others use are explained by Azure's own words, and everything else goes", async () => {
  const { azure } = await withDemo();
  const configuration = { name: "ip", properties: { subnet: { id: ids.subnet }, privateIPAllocationMethod: "Dynamic" } };
  await azure.seed(foreignInterface({ networkSecurityGroup: { id: ids.nsg }, ipConfigurations: [configuration] }));

  const { stderr } = await run(azure, destroy, 1);
  expect(stderr).toContain("[ARO-DELETE-001]");
  expect(stderr).toMatch(/in use by \S*networkInterfaces\/theirs/i);
  expect(stderr).toContain("[ARO-DELETE-003]");
  const left = Object.keys((await azure.snapshot()).resources).filter((id) => id.includes("demo-x7k2"));
  expect(left.filter((id) => /loadbalancers|publicip|privatednszones/.test(id))).toEqual([]);
  expect(left.some((id) => id.endsWith("virtualnetworks/demo-demo-x7k2"))).toBe(true);
});

test("a network interface of the cluster's Kubernetes that its machine still holds is waited for", async () => {
  const { azure, before } = await withDemo();
  const properties = { ipConfigurations: [{ name: "ip", properties: { subnet: { id: ids.subnet } } }] };
  const id = inGroup(groups.managed, "networkInterfaces/worker");
  await azure.seed({ resources: { [id]: { location: "eastus", tags: { "kubernetes.io_cluster.demo-x7k2": "owned" }, properties } } });
  const faults = [{ method: "DELETE", path: "/networkInterfaces/worker$", times: 2, answer: recorded.nicInUse }];
  const { stderr } = await run(azure, destroy, 0, { faults });
  expect(stderr).toContain(`${letGo} (NicInUse)`);
  expect(await azure.snapshot()).toEqual(before);
});

test("two destroys at once both end well, and leave nothing", async () => {
  const { azure, before } = await withDemo();
  await Promise.all([run(azure, destroy, 0), run(azure, destroy, 0)]);
  expect(await azure.snapshot()).toEqual(before);
});

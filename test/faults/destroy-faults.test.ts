/** Errors of Azure during `destroy infra`: it recovers from temporary ones and explains permanent ones, and a later rerun completes it. */
import { expect, test } from "vitest";
import { groups, ids, inGroup } from "../cli/demo-cluster.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { always, create, destroy, poll, remove, run, type FaultRule } from "./fault-runs.js";
import { recorded } from "./recorded-answers.js";

async function withDemo(): Promise<{ azure: TestEmulator; before: Awaited<ReturnType<TestEmulator["snapshot"]>> }> {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  await run(azure, create, 0);
  return { azure, before };
}

const releasing = "a resource that used it is still being released";

/** Faults of different requests are independent, so one run tests several of a kind. */
const temporary: readonly { readonly title: string; readonly faults: readonly FaultRule[]; readonly says: readonly string[] }[] = [
  {
    title: "resources that are briefly in use, and conflicts with other operations",
    faults: [
      { ...remove.vnet, times: 2, answer: recorded.inUseSubnet },
      { ...remove.vnet, nth: 3, answer: recorded.dueToAnotherOperation },
      { ...remove.nsg, answer: recorded.inUseNsg },
      { ...remove.address, answer: recorded.inUseAddress },
      { ...remove.address, nth: 2, answer: recorded.anotherOperationInProgress },
      { ...remove.zone, answer: recorded.nestedResources },
    ],
    says: [releasing, "another operation on it is in progress"],
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
    title: "resources that are already deleted",
    faults: [
      { ...remove.balancer, when: "after", answer: recorded.resourceNotFound },
      { ...remove.zone, when: "after", answer: recorded.parentNotFound },
      { ...remove.group, when: "after", answer: recorded.groupNotFound },
    ],
    says: [],
  },
  {
    title: "server errors of deletes and polls, and deletions that Azure no longer knows",
    faults: [
      { ...remove.nsg, answer: recorded.internalServerError },
      { ...remove.vnet, when: "after", answer: recorded.gatewayTimeout },
      { ...poll.groupDeletion, times: 2, answer: recorded.html503 },
      { ...poll.groupDeletion, nth: 3, answer: recorded.operationGone },
      { ...poll.network, answer: recorded.badGateway },
      { ...poll.privateDns, answer: recorded.operationGone },
    ],
    says: ["Azure had a temporary error", "reading it again"],
  },
];

test.each(temporary)("destroy recovers from $title", async ({ faults, says }) => {
  const { azure, before } = await withDemo();
  const { stderr } = await run(azure, destroy, 0, { faults });
  for (const words of says) expect(stderr).toContain(words);
  expect(await azure.snapshot()).toEqual(before);
});

const permanent: readonly {
  readonly title: string;
  readonly faults: readonly FaultRule[];
  readonly code: string;
  readonly says: string;
}[] = [
  {
    title: "ResourceGroupDeletionBlocked with the blocking resource",
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

test.each(permanent)("destroy explains $title, and a rerun completes it", async ({ faults, code, says }) => {
  const { azure, before } = await withDemo();
  const { stderr } = await run(azure, destroy, 1, { faults });
  expect(stderr).toContain(`[${code}]`);
  expect(stderr).toContain(says);
  await run(azure, destroy, 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("destroy explains with Azure's words that others have begun to use a network, and deletes everything that they do not use", async () => {
  const { azure } = await withDemo();
  // Their interface is newer than the last read of the network.
  const message = `Subnet default is in use by ${inGroup("others", "networkInterfaces/theirs/ipConfigurations/ip")} and cannot be deleted.`;
  const answer = { status: 400, body: { error: { code: "InUseSubnetCannotBeDeleted", message } } };
  const { stderr } = await run(azure, destroy, 1, { faults: [{ method: "DELETE", path: "/virtualNetworks/[^/]+$", answer, times: 100 }] });
  expect(stderr).toContain("[ARO-DELETE-001]");
  expect(stderr).toMatch(/in use by \S*networkInterfaces\/theirs/i);
  expect(stderr).toContain("[ARO-DELETE-003]");
  const left = Object.keys((await azure.snapshot()).resources).filter((id) => id.includes("demo-x7k2"));
  expect(left.filter((id) => /loadbalancers|publicip|privatednszones/.test(id))).toEqual([]);
  expect(left.some((id) => id.endsWith("virtualnetworks/demo-demo-x7k2"))).toBe(true);
});

test("destroy waits for a network interface of the cluster's Kubernetes that a machine still uses", async () => {
  const { azure, before } = await withDemo();
  const properties = { ipConfigurations: [{ name: "ip", properties: { subnet: { id: ids.subnet } } }] };
  const id = inGroup(groups.managed, "networkInterfaces/worker");
  await azure.seed({ resources: { [id]: { location: "eastus", tags: { "kubernetes.io_cluster.demo-x7k2": "owned" }, properties } } });
  const faults = [{ method: "DELETE", path: "/networkInterfaces/worker$", times: 2, answer: recorded.nicInUse }];
  const { stderr } = await run(azure, destroy, 0, { faults });
  expect(stderr).toContain(`${releasing} (NicInUse)`);
  expect(await azure.snapshot()).toEqual(before);
});

test("two concurrent destroys both succeed and leave nothing", async () => {
  const { azure, before } = await withDemo();
  await Promise.all([run(azure, destroy, 0), run(azure, destroy, 0)]);
  expect(await azure.snapshot()).toEqual(before);
});

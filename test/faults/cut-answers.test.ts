/** Answers that are lost on their way, or that another server sends in Azure's place, in whole runs of create, show and destroy. */
import { expect, test } from "vitest";
import { testEmulator } from "../harness/test-emulator.js";
import { always, create, destroy, poll, put, run, undisturbedState } from "./fault-runs.js";

const get = {
  group: { method: "GET", path: "/resourceGroups/[^/]+$" },
  vnet: { method: "GET", path: "/virtualNetworks/[^/]+$" },
} as const;
const token = { method: "POST", host: "login.microsoftonline.com" } as const;
const requests = { ...put, "read group": get.group, "read vnet": get.vnet, "poll network": poll.network, token } as const;

const cuts = [
  ["reset", { cut: "reset" }],
  ["closed", { cut: "fin" }],
  ["reset without a length", { cut: "reset", chunked: true }],
  ["compressed and reset", { cut: "reset", gzip: true }],
  ["compressed and closed", { cut: "fin", gzip: true }],
] as const;

test.each(cuts)("create recovers from answers that are %s in mid-way, each as a lost connection", async (_title, cut) => {
  const azure = await testEmulator();
  const faults = Object.values(requests).map((request) => ({ ...request, ...cut }));
  const { stderr } = await run(azure, create, 0, { faults });
  expect(await azure.snapshot()).toEqual(await undisturbedState());
  expect(stderr).not.toContain("PARSE_ERROR");
});

const ok = (body?: string) => ({
  answer: { status: 200, headers: { "content-type": "application/json" }, ...(body !== undefined && { body }) },
});
const garbage = [
  ["empty", ok()],
  ["an empty object", ok("{}")],
  ["null", ok("null")],
  ["a page", { answer: { status: 200, headers: { "content-type": "text/html" }, body: "<html>please sign in</html>" } }],
] as const;

test.each(garbage)(
  "create recovers if one answer to each kind of request is %s, although Azure has carried the request out",
  async (_title, effect) => {
    const azure = await testEmulator();
    const faults = Object.values(requests).map((request) => ({ ...request, when: "after", ...effect }));
    await run(azure, create, 0, { faults });
    expect(await azure.snapshot()).toEqual(await undisturbedState());
  },
);

test.each(cuts)("a connection whose answers are always %s is reported as lost", async (_title, cut) => {
  const azure = await testEmulator();
  const { stderr } = await run(azure, create, 1, { faults: [{ ...put.vnet, ...always, ...cut }] });
  expect(stderr).toContain("[ARO-NET-001]");
});

test.each(garbage)("create does not take %s in place of one object for a resource of somebody else", async (_title, effect) => {
  const azure = await testEmulator();
  const { stderr } = await run(azure, create, 1, { faults: [{ ...get.vnet, ...always, ...effect }] });
  expect(stderr).toContain("[ARO-NET-003]");
  expect(stderr).not.toContain("ARO-OWN");
});

// An empty answer is the end of a deletion; the last read of destroy finds a group that remains.
test.each(garbage.slice(1))("destroy does not take %s for the end of a deletion", async (_title, effect) => {
  const azure = await testEmulator();
  await run(azure, create, 0);
  const { stderr } = await run(azure, destroy, 1, { faults: [{ ...poll.groupDeletion, ...always, ...effect }] });
  expect(stderr).toContain("[ARO-NET-003]");
  await run(azure, destroy, 0);
});

test.each(garbage)("destroy does not take %s for a list of resources", async (_title, effect) => {
  const azure = await testEmulator();
  await run(azure, create, 0);
  const { stderr } = await run(azure, destroy, 1, { faults: [{ method: "GET", path: "/resources$", ...always, ...effect }] });
  expect(stderr).toContain("[ARO-NET-003]");
  await run(azure, destroy, 0);
});

test("an address of another host in the answer to a write ends create, and no request goes there", async () => {
  const azure = await testEmulator();
  const headers = { "azure-asyncoperation": "https://management.example.com/operations/1" };
  const { stderr } = await run(azure, create, 1, { faults: [{ ...put.vnet, ...always, answer: { status: 202, headers, body: {} } }] });
  expect(stderr).toContain("[ARO-NET-005]");
  expect((await azure.traffic()).map(({ url }) => new URL(url).host)).not.toContain("management.example.com");
});

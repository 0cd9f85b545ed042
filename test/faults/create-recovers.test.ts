/** Errors of Azure that `create infra` recovers from: the state is then the same as after an undisturbed run. */
import { expect, test } from "vitest";
import { systemClock, type SystemClock } from "../../src/azure/clock.js";
import { testEmulator } from "../harness/test-emulator.js";
import { create, fast, poll, put, run, undisturbedState, type FaultRule } from "./fault-runs.js";
import { recorded, signature, throttled } from "./recorded-answers.js";

/** Faults of different requests are independent, so one run tests several of a kind. */
interface Row {
  readonly title: string;
  readonly faults: readonly FaultRule[];
  /** Messages about what the run waits for. */
  readonly says?: readonly (string | RegExp)[];
  /** Waits of Azure's time among others, in seconds: at least, at most. */
  readonly waits?: readonly (readonly [least: number, most: number])[];
}

const temporary = "Azure had a temporary error";
const busy = "another operation on it is in progress";
const notVisible = "its parent is not visible everywhere yet";

const rows: readonly Row[] = [
  {
    title: "connections reset before and after writes took effect, and on a poll",
    faults: [
      { ...put.vnet, reset: true },
      { ...put.group, reset: true, when: "after" },
      { ...put.balancer, reset: true, when: "after" },
      { ...put.zone, reset: true, when: "after" },
      { ...poll.network, reset: true },
    ],
    says: ["the connection was lost"],
  },
  {
    title: "a lost response and a request that hangs",
    faults: [
      { ...put.vnet, reset: true, when: "after" },
      { ...put.address, delay: 20_000, when: "after" },
    ],
    says: ["the request timed out"],
  },
  {
    title: "429 with each form of the wait time",
    faults: [
      { ...put.nsg, answer: throttled("20") },
      { ...put.vnet, answer: throttled() },
      { ...put.address, answer: throttled(undefined, "Please try again after '17' seconds.") },
      { ...put.zone, answer: throttled("Wed, 21 Oct 2015 07:28:00 GMT") },
      { ...put.link, answer: recorded.identityThrottled },
    ],
    says: ["Azure is throttling requests", /retrying in 1 s/, "Azure is throttling requests (429)"],
    // The requested wait, and up to a tenth more.
    waits: [
      [20, 22],
      [17, 18.7],
    ],
  },
  {
    title: "conflicts with other operations",
    faults: [
      { ...put.balancer, times: 3, answer: recorded.referencedResourceNotProvisioned },
      { ...put.vnet, times: 2, answer: recorded.dueToAnotherOperation },
      { ...put.address, times: 2, answer: recorded.anotherOperationInProgress },
    ],
    says: [
      "a referenced resource is still updating (ReferencedResourceNotProvisioned)",
      `${busy} (RetryableErrorDueToAnotherOperation)`,
      `${busy} (AnotherOperationInProgress)`,
    ],
  },
  {
    title: "server errors of writes, whether they took effect or not",
    faults: [
      { ...put.group, answer: recorded.requestTimeout },
      { ...put.vnet, answer: recorded.internalServerError },
      { ...put.address, when: "after", answer: recorded.badGateway },
      { ...put.zone, answer: recorded.html503 },
      { ...put.link, when: "after", answer: recorded.gatewayTimeout },
    ],
    says: [`${temporary} (InternalServerError)`],
  },
  {
    title: "server errors of polls",
    faults: [
      { ...poll.network, answer: recorded.html500 },
      { ...poll.network, nth: 2, times: 3, answer: recorded.serverTimeout },
      { ...poll.network, nth: 5, answer: recorded.gatewayTimeout },
      { ...poll.privateDns, answer: recorded.badGateway },
    ],
    says: [temporary],
  },
  {
    title: "tokens refused during polling, and without a challenge",
    faults: [
      { ...poll.network, answer: recorded.expiredToken },
      { ...put.vnet, answer: recorded.invalidToken },
    ],
  },
  { title: "an operation superseded by another", faults: [{ ...poll.network, answer: recorded.canceled }], says: ["reading it again"] },
  {
    title: "a canceled operation without a reason",
    faults: [{ ...poll.network, answer: { status: 200, body: { status: "Canceled" } } }],
    says: ["Azure canceled the operation"],
  },
  {
    title: "an operation that Azure no longer knows, and one that fails because of its ETag",
    faults: [
      { ...poll.privateDns, answer: recorded.operationGone },
      { ...poll.privateDns, nth: 2, answer: recorded.failedEtag },
    ],
    says: ["reading it again"],
  },
  {
    title: "a group and a zone that are not yet visible everywhere",
    faults: [
      { ...put.address, times: 2, answer: recorded.groupNotFound },
      { ...put.link, times: 2, answer: recorded.parentNotFound },
    ],
    says: [`${notVisible} (ResourceGroupNotFound)`, `${notVisible} (ParentResourceNotFound)`],
  },
  {
    title: "ResourceGroupBeingDeleted while it creates the group",
    faults: [{ ...put.group, times: 2, answer: recorded.groupBeingDeleted }],
    says: ["reading it again"],
  },
];

test.each(rows)("create recovers from $title", async ({ faults, says = [], waits = [] }) => {
  const azure = await testEmulator();
  const waited: number[] = [];
  const clock: SystemClock = {
    ...systemClock,
    sleep(ms, signal) {
      waited.push((ms * Number(fast.ARO_HCP_LOCAL_TIME_SCALE)) / 1000);
      return systemClock.sleep(ms, signal);
    },
  };
  const { stderr } = await run(azure, create, 0, { faults, clock });
  for (const words of says) expect(stderr).toMatch(words);
  for (const [least, most] of waits)
    expect(
      waited.some((seconds) => seconds >= least && seconds <= most),
      waited.join(" s, "),
    ).toBe(true);
  expect(stderr).not.toContain(signature.slice(0, 40));
  expect(await azure.snapshot()).toEqual(await undisturbedState());
});

test("create registers an unregistered provider once and continues", async () => {
  const azure = await testEmulator();
  await azure.seed({ providers: { "Microsoft.Network": "NotRegistered" } });
  // Slow enough that Azure refuses all steps of the provider meanwhile.
  const { stderr } = await run(azure, create, 0, { faults: [{ method: "POST", path: "/register$", delay: 700 }] });
  expect(stderr).toContain("registering the resource provider Microsoft.Network");
  const registrations = (await azure.traffic()).filter(({ method }) => method === "POST").map(({ url }) => new URL(url).pathname);
  expect(registrations.filter((path) => path.endsWith("/register"))).toHaveLength(1);
  expect(await azure.snapshot()).toEqual(await undisturbedState());
});

test("after 412, an update reads and merges again", async () => {
  const azure = await testEmulator();
  await run(azure, create, 0);
  const made = await azure.snapshot();
  const written = (await azure.traffic()).find(({ method, url }) => method === "PUT" && url.includes("/loadBalancers/"));
  const { location, tags, sku, properties } = written?.requestBody as Record<string, Record<string, unknown>>;
  const id = new URL(written?.url ?? "").pathname;
  await azure.seed({ resources: { [id]: { location, tags, sku, properties: { ...properties, outboundRules: [] } } } });
  expect(await azure.snapshot()).not.toEqual(made);

  const { stderr } = await run(azure, create, 0, { faults: [{ ...put.balancer, answer: recorded.preconditionFailed }] });
  expect(stderr).toContain("reading it again");
  expect(await azure.snapshot()).toEqual(made);
});

/** Answers of Azure that `create infra` gets over by itself: each ends in the very world that an undisturbed run makes. */
import { expect, test } from "vitest";
import { localAzure } from "../harness/local-azure.js";
import { create, poll, put, run, undisturbedWorld, type FaultRule } from "./fault-runs.js";
import { recorded, signature, throttled } from "./recorded-answers.js";

interface Row {
  readonly title: string;
  readonly faults: readonly FaultRule[];
  /** What the run says it waits for. */
  readonly says?: string;
}

const hiccup = "Azure had a hiccup";
const busy = "another operation on it is in progress";

const rows: readonly Row[] = [
  // Connections.
  { title: "a connection reset before a write", faults: [{ ...put.vnet, reset: true }], says: "the connection was lost" },
  { title: "a connection reset after the network was written", faults: [{ ...put.vnet, reset: true, when: "after" }] },
  { title: "a connection reset after the load balancer was written", faults: [{ ...put.balancer, reset: true, when: "after" }] },
  { title: "a connection reset after the private zone was written", faults: [{ ...put.zone, reset: true, when: "after" }] },
  { title: "a connection reset after a group was written", faults: [{ ...put.group, reset: true, when: "after" }] },
  { title: "a connection reset on a poll", faults: [{ ...poll.network, reset: true }], says: "the connection was lost" },
  { title: "a request that hangs", faults: [{ ...put.address, delay: 20_000, when: "after" }], says: "no answer came in time" },

  // Throttling and locks.
  {
    title: "ReferencedResourceNotProvisioned without Retry-After",
    faults: [{ ...put.balancer, times: 3, answer: recorded.referencedResourceNotProvisioned }],
    says: "what it refers to is still being changed (ReferencedResourceNotProvisioned)",
  },
  { title: "RetryableErrorDueToAnotherOperation", faults: [{ ...put.vnet, times: 2, answer: recorded.dueToAnotherOperation }], says: busy },
  { title: "AnotherOperationInProgress", faults: [{ ...put.balancer, times: 2, answer: recorded.anotherOperationInProgress }], says: busy },
  { title: "429 with Retry-After", faults: [{ ...put.nsg, answer: throttled("20") }], says: "Azure throttles requests" },
  { title: "429 without Retry-After", faults: [{ ...put.nsg, answer: throttled() }], says: "Azure throttles requests" },
  {
    title: "429 with the wait in its words only",
    faults: [{ ...put.nsg, answer: throttled(undefined, "Please try again after '17' seconds.") }],
    says: "asking again in 1", // 17 s and up to a tenth more
  },
  { title: "429 with a date that is past", faults: [{ ...put.nsg, answer: throttled("Wed, 21 Oct 2015 07:28:00 GMT") }] },
  { title: "429 of the code 429", faults: [{ ...put.nsg, answer: recorded.identityThrottled }], says: "Azure throttles requests (429)" },

  // Azure's own failures, on writes that took effect or not, and on polls.
  { title: "500 on a write", faults: [{ ...put.vnet, answer: recorded.internalServerError }], says: `${hiccup} (InternalServerError)` },
  { title: "502 after the write took effect", faults: [{ ...put.address, when: "after", answer: recorded.badGateway }], says: hiccup },
  { title: "an HTML page with 503 on a write", faults: [{ ...put.zone, answer: recorded.html503 }], says: hiccup },
  { title: "504 after the write took effect", faults: [{ ...put.link, when: "after", answer: recorded.gatewayTimeout }], says: hiccup },
  { title: "408 on a write", faults: [{ ...put.group, answer: recorded.requestTimeout }], says: hiccup },
  { title: "an HTML page with 500 on a poll", faults: [{ ...poll.network, answer: recorded.html500 }], says: hiccup },
  { title: "502 on a poll", faults: [{ ...poll.privateDns, answer: recorded.badGateway }], says: hiccup },
  { title: "503 on a poll", faults: [{ ...poll.network, times: 3, answer: recorded.serverTimeout }], says: hiccup },
  { title: "504 on a poll", faults: [{ ...poll.network, answer: recorded.gatewayTimeout }], says: hiccup },

  // Tokens.
  { title: "ExpiredAuthenticationToken in the middle of polling", faults: [{ ...poll.network, answer: recorded.expiredToken }] },
  { title: "InvalidAuthenticationToken without a challenge", faults: [{ ...put.vnet, answer: recorded.invalidToken }] },

  // Operations that end otherwise than by succeeding.
  { title: "an operation superseded by another", faults: [{ ...poll.network, answer: recorded.canceled }], says: "looking again" },
  {
    title: "an operation that Azure has forgotten",
    faults: [{ ...poll.privateDns, answer: recorded.operationGone }],
    says: "looking again",
  },
  { title: "an operation that fails for its etag", faults: [{ ...poll.privateDns, answer: recorded.failedEtag }], says: "looking again" },

  // What is not yet known everywhere.
  {
    title: "ResourceGroupNotFound right after the group was made",
    faults: [{ ...put.address, times: 2, answer: recorded.groupNotFound }],
    says: "what holds it is not yet known everywhere (ResourceGroupNotFound)",
  },
  {
    title: "ParentResourceNotFound right after the zone was made",
    faults: [{ ...put.link, times: 2, answer: recorded.parentNotFound }],
    says: "what holds it is not yet known everywhere (ParentResourceNotFound)",
  },
  {
    title: "ResourceGroupBeingDeleted where the group is made",
    faults: [{ ...put.group, times: 2, answer: recorded.groupBeingDeleted }],
    says: "looking again",
  },
];

test.each(rows)("create gets over $title", async ({ faults, says }) => {
  const azure = await localAzure();
  const { stderr } = await run(azure, create, 0, { faults });
  if (says !== undefined) expect(stderr).toContain(says);
  expect(stderr).not.toContain(signature.slice(0, 40));
  expect(await azure.picture()).toEqual(await undisturbedWorld());
});

test("a provider that is not registered is registered, once, and create goes on", async () => {
  const azure = await localAzure();
  await azure.seed({ providers: { "Microsoft.Network": "NotRegistered" } });
  // Slow enough that all steps of the provider have been refused meanwhile.
  const { stderr } = await run(azure, create, 0, { faults: [{ method: "POST", path: "/register$", delay: 700 }] });
  expect(stderr).toContain("registering the resource provider Microsoft.Network");
  const registrations = (await azure.traffic()).filter(({ method }) => method === "POST").map(({ url }) => new URL(url).pathname);
  expect(registrations.filter((path) => path.endsWith("/register"))).toHaveLength(1);
  expect(await azure.picture()).toEqual(await undisturbedWorld());
});

test("an update refused with 412 is read and merged again", async () => {
  const azure = await localAzure();
  await run(azure, create, 0);
  const made = await azure.picture();
  const written = (await azure.traffic()).find(({ method, url }) => method === "PUT" && url.includes("/loadBalancers/"));
  const { location, tags, sku, properties } = written?.requestBody as Record<string, Record<string, unknown>>;
  const id = new URL(written?.url ?? "").pathname;
  await azure.seed({ resources: { [id]: { location, tags, sku, properties: { ...properties, outboundRules: [] } } } });
  expect(await azure.picture()).not.toEqual(made);

  const { stderr } = await run(azure, create, 0, { faults: [{ ...put.balancer, answer: recorded.preconditionFailed }] });
  expect(stderr).toContain("looking again");
  expect(await azure.picture()).toEqual(made);
});

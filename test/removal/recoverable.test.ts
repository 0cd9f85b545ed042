/** Which soft-deleted resources of a destroyed identity set are reported as recoverable, until when, and how. */
import { expect, test } from "vitest";
import type { IdentityInventory } from "../../src/identities/removal/identities.js";
import { recoverable } from "../../src/removal/recoverable.js";
import { plainAdvice } from "../harness/plain-advice.js";

const application = (displayName: string, deletedDateTime: string) => ({
  id: "a-0",
  appId: "x",
  displayName,
  uniqueName: null,
  deletedDateTime,
});
const vault = (name: string, purged?: string) => ({
  name,
  properties: purged === undefined ? {} : { scheduledPurgeDate: new Date(purged) },
});

const none = { deletedApplications: [], deletedVaults: [] } as const;
const rerun = "rerun the original create all or create identities";
const recover = `${rerun}, or use \`az keyvault recover\``;

const rows: readonly (readonly [
  what: string,
  deleted: Partial<Pick<IdentityInventory, "deletedApplications" | "deletedVaults">>,
  expected: readonly string[],
])[] = [
  ["nothing", {}, []],
  [
    "an application for 30 days",
    { deletedApplications: [application("demo-cpo", "2026-07-11T12:00:00Z")] },
    [`application demo-cpo, until 2026-08-10T12:00:00Z: ${rerun}`],
  ],
  [
    "an application with a time in another form",
    { deletedApplications: [application("demo-cpo", "2026-12-31T23:00:00.5+01:00")] },
    [`application demo-cpo, until 2027-01-30T22:00:00Z: ${rerun}`],
  ],
  [
    "a vault until Azure purges it",
    { deletedVaults: [vault("kv", "2026-10-09T08:00:00Z")] },
    [`Key Vault kv, until 2026-10-09T08:00:00Z: ${recover}`],
  ],
  ["a vault without a date", { deletedVaults: [vault("kv")] }, [`Key Vault kv, until undefined: ${recover}`]],
  [
    "vaults before applications",
    { deletedApplications: [application("demo-cpo", "2026-07-11T12:00:00Z")], deletedVaults: [vault("kv"), vault("kv2")] },
    [
      `Key Vault kv, until undefined: ${recover}`,
      `Key Vault kv2, until undefined: ${recover}`,
      `application demo-cpo, until 2026-08-10T12:00:00Z: ${rerun}`,
    ],
  ],
];

test.each(rows)("reports %s", (_what, deleted, expected) => {
  const inventory = { ...none, ...deleted } as unknown as IdentityInventory;
  expect(recoverable(inventory).map(({ title, until, how }) => `${title}, until ${String(until)}: ${plainAdvice(how)}`)).toEqual(expected);
});

/** What other clusters use survives each destroy that could take it, with any resource group, and after each advice. */
import { expect, test } from "vitest";
import { changeState } from "../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { hsmSeed } from "../../tools/demo-cluster.js";
import { linesIn } from "../harness/own-line.js";
import { exits, refuses, titled } from "../cli/expectations.js";
import {
  adviceOf,
  createAll,
  createWithIam,
  createZone,
  estate,
  inBluesNetwork,
  inGroup,
  local,
  ofCluster,
  ofOthers,
  shared,
  zone,
} from "../cli/shared-estate.js";

const set = [...local, "--name", "shared"];
const rightGroup = inGroup("os4-common");
const wrongGroup = inGroup("shared-common");
const inUse = "ARO-OWN-006";
const elsewhere = ["ARO-USAGE-001", "resource group os4-common", "shared", "blue-x1"] as const;
const isOfCluster = "if that is the set of this cluster, pass --persistent-resource-group-name os4-common";

interface Case {
  readonly what: string;
  readonly args: readonly string[];
  readonly code: number;
  readonly words: readonly (string | RegExp)[];
  /** Only what is this cluster's may be deleted. */
  readonly destroyed?: string;
}

/** With a wrong group, a command about one thing finds nothing to delete. */
const cases: readonly Case[] = [
  { what: "set and issuer: destroy all", args: ["all", ...ofCluster("green")], code: 2, words: elsewhere },
  { what: "set and issuer: destroy all, wrong group", args: ["all", ...ofCluster("green"), ...wrongGroup], code: 2, words: elsewhere },
  { what: "set and issuer: destroy all, other group", args: ["all", ...ofCluster("green"), ...inGroup("x")], code: 2, words: elsewhere },
  {
    ...{ what: "set and issuer: destroy all, right group", args: ["all", ...ofCluster("green"), ...rightGroup, "--purge"], code: 0 },
    ...{ words: [/identity set shared with its issuer .*blue-x1 uses it/], destroyed: "green" },
  },
  {
    what: "set: destroy identities",
    args: ["identities", ...set, ...rightGroup, "--purge"],
    code: 5,
    words: [inUse, /shared.*blue-x1, green-x1/],
  },
  {
    what: "set: destroy identities, wrong group",
    args: ["identities", ...set, ...wrongGroup],
    code: 0,
    words: ["pass --persistent-resource-group-name os4-common"],
  },
  {
    what: "issuer: destroy oidc-issuer",
    args: ["oidc-issuer", ...set],
    code: 5,
    words: [inUse, /issuer.*shared.*blue-x1, green-x1, red-x1/],
  },
  {
    ...{ what: "issuer: destroy oidc-issuer, right group", args: ["oidc-issuer", ...set, "--oidc-resource-group-name", "shared-oidc"] },
    ...{ code: 5, words: [inUse, "blue-x1"] },
  },
  {
    ...{ what: "issuer: destroy oidc-issuer, wrong group", args: ["oidc-issuer", ...set, "--oidc-resource-group-name", "os4-common"] },
    ...{ code: 0, words: ["pass --oidc-resource-group-name shared-oidc"] },
  },
  {
    what: "etcd key: destroy encryption-key",
    args: ["encryption-key", ...set, ...rightGroup, "--purge"],
    code: 5,
    words: [inUse, "blue-x1"],
  },
  {
    what: "etcd key: destroy encryption-key, wrong group",
    args: ["encryption-key", ...set, ...wrongGroup],
    code: 0,
    words: ["os4-common"],
  },
  {
    what: "workload identities: destroy iam",
    args: ["iam", ...ofCluster("red"), ...inGroup("red-iam")],
    code: 5,
    words: [inUse, "red-x1"],
  },
  { what: "workload identities: destroy iam, wrong group", args: ["iam", ...ofCluster("red"), ...rightGroup], code: 0, words: ["red-iam"] },
  {
    what: "network: destroy infra",
    args: ["infra", ...ofCluster("blue")],
    code: 5,
    words: [inUse, "pink-x1", "virtualNetworks/blue-blue-x1"],
  },
  {
    ...{ what: "network: destroy infra that keeps the groups", args: ["infra", ...ofCluster("blue"), "--preserve-resource-group"] },
    ...{ code: 5, words: [inUse, "pink-x1"] },
  },
  {
    what: "network: destroy infra of all in the groups",
    args: ["infra", ...ofCluster("blue"), "--delete-foreign"],
    code: 5,
    words: [inUse, "pink-x1"],
  },
  {
    ...{ what: "network: destroy infra with another group", args: ["infra", ...ofCluster("blue"), "--resource-group-name", "os4-common"] },
    ...{ code: 5, words: [inUse, "pink-x1"] },
  },
  { what: "network: destroy all", args: ["all", ...ofCluster("blue"), ...rightGroup], code: 5, words: [inUse, "pink-x1"] },
  { what: "network: destroy all, wrong group", args: ["all", ...ofCluster("blue"), ...wrongGroup], code: 5, words: [inUse, "pink-x1"] },
  {
    ...{ what: "zone: destroy dns-zone", args: ["dns-zone", ...local, "--base-domain", zone, "--dns-zone-rg-name", "os4-dns"], code: 5 },
    words: [inUse, zone, "blue-x1, green-x1, red-x1, pink-x1"],
  },
  {
    ...{ what: "zone: destroy dns-zone with its records", code: 5, words: [inUse, "blue-x1"] },
    args: ["dns-zone", ...local, "--base-domain", zone, "--dns-zone-rg-name", "os4-dns", "--delete-records"],
  },
  {
    ...{ what: "zone: destroy dns-zone, wrong group", code: 0, words: ["pass --dns-zone-rg-name os4-dns"] },
    args: ["dns-zone", ...local, "--base-domain", zone, "--dns-zone-rg-name", "dns"],
  },
];

test.each(titled(cases))("%s: nothing of another cluster is deleted, and the message names it", async (_what, each) => {
  const azure = await estate();
  const before = ofOthers(await azure.snapshot(), each.destroyed);
  const result = exits(await azure.cli(["destroy", ...each.args, "--yes"]), each.code);
  const text = result.stderr.replaceAll(/\s+/g, " ");
  for (const word of each.words) expect(text).toMatch(word);
  expect(ofOthers(await azure.snapshot(), each.destroyed)).toEqual(before);
});

test("a mistyped infra ID deletes nothing of the cluster's set, and gets no advice about keys", async () => {
  const azure = await estate();
  const before = ofOthers(await azure.snapshot(), undefined);
  const typed = [...local, "--name", "green", "--infra-id", "green-x2", ...shared, ...rightGroup];
  const { stderr } = exits(await azure.cli(["destroy", "all", ...typed, "--yes", "--purge"]), 0);
  expect(stderr).toContain("belongs to cluster green/green-x2");
  expect(stderr).not.toMatch(/signing key|public key/);
  expect(ofOthers(await azure.snapshot(), undefined)).toEqual(before);
});

/** Runs the original command with the flag of an advice, or the command in it. */
async function follow(azure: TestEmulator, args: readonly string[], advice: string) {
  const [line] = linesIn(advice);
  if (line !== undefined) return azure.cli([...line.split(" ").slice(1), "--yes"]);
  const [, flag = "", value = ""] = /pass (--\S+) (\S+)/.exec(advice) ?? [];
  return azure.cli(["destroy", ...args, flag, value, "--yes", "--purge"]);
}

test.each([0, 1])("each advice of the refusal keeps what others use: advice %i", async (at) => {
  const azure = await estate();
  const args = ["all", ...ofCluster("green"), ...wrongGroup];
  const refused = adviceOf(exits(await azure.cli(["destroy", ...args, "--yes", "-o", "json"]), 2));
  expect(refused).toEqual([
    isOfCluster,
    "otherwise, delete the cluster without set and issuer: `aro-hcp destroy infra --cloud local --name green --infra-id green-x1`",
  ]);
  const before = ofOthers(await azure.snapshot(), "green");
  exits(await follow(azure, args, refused[at] ?? ""), 0);
  const after = await azure.snapshot();
  expect(ofOthers(after, "green")).toEqual(before);
  expect(Object.keys(after.resources).filter((key) => key.includes("/green-"))).toEqual([]);
});

test("the advice for the last cluster of a set removes both completely", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  await createZone(azure);
  const withZone = await azure.snapshot();
  await createAll(azure, "green");
  const args = ["all", ...ofCluster("green")];
  const [advice = ""] = adviceOf(exits(await azure.cli(["destroy", ...args, ...wrongGroup, "--yes", "-o", "json"]), 2));
  exits(await follow(azure, args, advice), 0);
  expect(await azure.snapshot()).toEqual(withZone);
  exits(await azure.cli(["destroy", "dns-zone", ...local, "--base-domain", zone, "--dns-zone-rg-name", "os4-dns", "--yes"]), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("the last cluster of a set leaves the issuer that another set trusts, and the next destroy deletes it", async () => {
  const azure = await testEmulator();
  await createZone(azure);
  const before = await azure.snapshot();
  await createAll(azure, "blue");
  await createWithIam(azure, "red");
  const { stderr } = exits(await azure.cli(["destroy", "all", ...ofCluster("blue"), ...shared, ...rightGroup, "--yes", "--purge"]), 0);
  expect(stderr).toMatch(/kept +storage account shared8d73c7: identities of red-x1 trust this issuer/);
  const left = Object.keys((await azure.snapshot()).resources);
  expect(left.filter((key) => key.includes("storageaccounts/shared8d73c7"))).not.toEqual([]);
  expect(left.filter((key) => key.includes("/os4-common") || key.includes("/blue-"))).toEqual([]);
  exits(await azure.cli(["destroy", "infra", ...ofCluster("red"), "--yes"]), 0);
  exits(await azure.cli(["destroy", "iam", ...ofCluster("red"), ...inGroup("red-iam"), "--yes"]), 0);
  exits(await azure.cli(["destroy", "oidc-issuer", ...set, "--yes"]), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("a second set of the name in the passed group is not taken for the cluster's", async () => {
  const azure = await testEmulator();
  await createZone(azure);
  await createAll(azure, "green");
  const identities = ["--oidc-issuer-url", "https://issuer.example.com/other", "--yes"];
  exits(await azure.cli(["create", "identities", ...set, ...wrongGroup, ...identities]), 0);
  await refuses(azure, azure.cli(["destroy", "all", ...ofCluster("green"), ...wrongGroup, "--yes"]), 2, "ARO-USAGE-001", "os4-common");
  exits(await azure.cli(["destroy", "all", ...ofCluster("green"), ...rightGroup, "--yes", "--purge"]), 0);
  const left = Object.keys((await azure.snapshot()).resources);
  expect(left.filter((key) => key.includes("/shared-common/"))).not.toEqual([]);
  expect(left.filter((key) => key.includes("/os4-common/"))).toEqual([]);
});

test("a destroy that may not list who has the set deletes nothing", async () => {
  const azure = await testEmulator();
  await createZone(azure);
  await createAll(azure, "green");
  const before = await azure.snapshot();
  const args = ["destroy", "all", ...ofCluster("green"), ...wrongGroup];
  await azure.traffic();
  exits(await azure.cli([...args, "--dry-run"]), 2);
  const lists = (await azure.traffic())
    .map(({ url }) => new URL(url))
    .filter(({ pathname }) => /^\/subscriptions\/[^/]+\/resources$/.test(pathname));
  const nth = 1 + lists.findIndex(({ searchParams }) => searchParams.get("$filter") === "tagName eq 'aro-hcp-identities'");
  expect(nth).toBeGreaterThan(0);
  const answer = { status: 403, body: { error: { code: "AuthorizationFailed", message: "no permission to list" } } };
  const faults = [{ method: "GET", path: "^/subscriptions/[^/]+/resources$", nth, times: 99, answer }];
  exits(await azure.cli([...args, "--yes"], { faults }), 5);
  expect(await azure.snapshot()).toEqual(before);
});

test("the key in a managed HSM is kept for the clusters of its set, with any group", async () => {
  const azure = await estate();
  await azure.seed(hsmSeed());
  const ofHsm = [...set, "--managed-hsm-name", "demo-hsm"];
  exits(await azure.cli(["create", "encryption-key", ...ofHsm, ...rightGroup]), 0);
  const vault = Object.keys((await azure.snapshot()).vaults ?? {}).find((name) => name.includes("shared")) ?? "";
  const before = ofOthers(await azure.snapshot(), undefined);
  for (const group of [rightGroup, wrongGroup])
    await refuses(
      azure,
      azure.cli(["destroy", "encryption-key", ...ofHsm, ...group, "--key-vault-name", vault, "--purge", "--yes"]),
      5,
      inUse,
      "blue-x1",
    );
  expect(ofOthers(await azure.snapshot(), undefined)).toEqual(before);
});

test.each(["infra", "all"])(
  "destroy %s --delete-foreign keeps a set and an issuer in the cluster's own group that another one uses",
  async (what) => {
    const azure = await testEmulator();
    await createZone(azure);
    const own = "green-green-x1";
    const home = [...inGroup(own), "--oidc-resource-group-name", own];
    await createAll(azure, "green", [...home, "--single-resource-group"]);
    await createAll(azure, "blue", home);
    const before = await azure.snapshot();
    const flags = [...ofCluster("green"), ...(what === "all" ? [...shared, ...home] : []), "--delete-foreign", "--yes"];
    await refuses(azure, azure.cli(["destroy", what, ...flags]), 5, inUse, "blue-x1");
    expect(await azure.snapshot()).toEqual(before);
  },
);

test("a cluster without tags keeps the network in which its identities have roles", async () => {
  const azure = await testEmulator();
  await createZone(azure);
  await createAll(azure, "blue");
  await createWithIam(azure, "pink", inBluesNetwork);
  await changeState(azure, ({ resources }) => {
    for (const one of Object.values(resources)) if (one.tags?.["aro-hcp-infra-id"] === "pink-x1") delete one.tags;
  });
  await refuses(azure, azure.cli(["destroy", "infra", ...ofCluster("blue"), "--yes"]), 5, inUse, "pink-x1");
  // The role on the group of the zone shows the same.
  const ofZone = ["destroy", "dns-zone", ...local, "--base-domain", zone, "--dns-zone-rg-name", "os4-dns", "--yes"];
  await refuses(azure, azure.cli(ofZone), 5, inUse, "blue-x1, pink-x1");
});

test("a cluster that starts to use the issuer at the prompt keeps it", async () => {
  const azure = await testEmulator();
  await createZone(azure);
  await createAll(azure, "blue");
  exits(await azure.cli(["destroy", "infra", ...ofCluster("blue"), "--yes"]), 0);
  const running = await azure.startCli(["destroy", "oidc-issuer", ...set]);
  await running.shows("Type shared to confirm");
  await createWithIam(azure, "red");
  const before = await azure.snapshot();
  running.type("shared\n");
  exits(await running.ended, 5);
  expect(await azure.snapshot()).toEqual(before);
});

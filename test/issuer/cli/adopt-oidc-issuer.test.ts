/** `adopt oidc-issuer`: takes over what ccoctl created, shows why, and refuses what somebody else uses. */
import { describe, expect, test } from "vitest";
import { wellKnown } from "../../../src/emulator/index.js";
import { jwkOf } from "../../../src/oidc/signing-key.js";
import { keyOf } from "../../cli/demo-cluster.js";
import { exits, refuses, titled, writesSince } from "../../cli/expectations.js";
import {
  ccoctlAccount,
  ccoctlGroup,
  ccoctlIdentities,
  ccoctlIssuer,
  ccoctlTags,
  ccoctlUrl,
  publishIssuer,
  trust,
} from "../../estate/ccoctl-seed.js";
import { group, merged, seedInOrder, type Seed } from "../../estate/estate-seed.js";
import { addTags, changeResource, deleteResources, resource, setProperties } from "../../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../../harness/test-emulator.js";
import { publicFile, testKey } from "../signing-keys.js";

const name = "legacy";
const key = testKey();
const groupId = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/${ccoctlGroup(name)}`;
const container = `${ccoctlAccount(name)}/blobServices/default/containers/${name}`;
const flags = ["--cloud", "local", "--identities-name", name] as const;
const [firstIdentity = ""] = ccoctlIdentities(name);
const mark = { "aro-hcp-identities": name };

const adopt = (azure: TestEmulator, more: readonly string[] = ["--yes"]) => azure.cli(["adopt", "oidc-issuer", ...flags, ...more]);
const destroy = (azure: TestEmulator) => azure.cli(["destroy", "oidc-issuer", ...flags, "--yes"]);

/** What ccoctl left, for a cluster in the group `installed`. */
async function left(): Promise<TestEmulator> {
  const azure = await testEmulator();
  await seedInOrder(azure, merged([group("installed", ccoctlTags(name)), ccoctlIssuer(name, "installed")]));
  await publishIssuer(azure, name, jwkOf(key.publicPem, "key"));
  await azure.traffic();
  return azure;
}

async function create(azure: TestEmulator) {
  const file = await publicFile(azure.path("keys"), key);
  return azure.cli(["create", "oidc-issuer", ...flags, "--public-key-file", file, "--yes"]);
}

const withIdentity = (id: string): Seed => ({ resources: {}, identities: [{ id }] });
const elsewhere = `${groupId.replace(ccoctlGroup(name), "installed")}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/theirs`;

describe("the issuer and identities of ccoctl", () => {
  test("are shown with what proves them, and a dry run writes nothing", async () => {
    const azure = await left();
    const { stderr } = exits(await adopt(azure, ["--dry-run", "--full-plan"]), 0);
    const text = stderr.replaceAll(/\s+/g, " ");
    expect(text).toContain(`its tag openshift.io_cloud-credential-operator_${name} says that ccoctl created it`);
    expect(text).toContain(`it publishes ${ccoctlUrl(name)} with key ${key.kid}`);
    expect(text).toContain("it trusts no other issuer");
    expect(await writesSince(azure)).toEqual([]);
  });

  test("get ownership tags and nothing else; then create changes nothing but settings, and a rerun nothing", async () => {
    const azure = await left();
    const before = await azure.snapshot();
    await refuses(azure, create(azure), 5, "ARO-OWN-001", `aro-hcp adopt oidc-issuer --cloud local --identities-name ${name}`);
    const { stdout } = exits(await adopt(azure, ["--yes", "--output", "json"]), 0);
    const { adopted } = JSON.parse(stdout) as { readonly adopted: readonly string[] };
    const expected = [groupId, ccoctlAccount(name), container, ...ccoctlIdentities(name)];
    expect(adopted.map(keyOf).toSorted()).toEqual(expected.map(keyOf).toSorted());
    for (const id of adopted.filter((one) => one !== container))
      expect((await resource(azure, id))?.tags).toEqual({ ...ccoctlTags(name), ...mark });
    const withoutMarks = await azure.snapshot();
    expect(Object.keys(withoutMarks.resources)).toEqual(Object.keys(before.resources));
    await azure.traffic();
    expect(exits(await adopt(azure), 0).stderr).toContain("nothing to do");
    expect(await writesSince(azure)).toEqual([]);
    exits(await create(azure), 0);
    expect((await writesSince(azure)).filter((write) => /userAssignedIdentities|resourceGroups\/[^/]+$/.test(write))).toEqual([]);
    expect((await resource(azure, container))?.properties).toMatchObject({ publicAccess: "Blob" });
    await azure.traffic();
    exits(await create(azure), 0);
    expect(await writesSince(azure)).toEqual([]);
  });

  test("are not destroyed while the cluster of the installer exists, and all of them after it", async () => {
    const azure = await left();
    const network = { location: "eastus", properties: { addressSpace: { addressPrefixes: ["10.0.0.0/16"] } } };
    const installed = `${groupId.replace(ccoctlGroup(name), "installed")}/providers/Microsoft.Network/virtualNetworks/legacy-ab1cd-vnet`;
    await azure.seed({ resources: { [installed]: { ...network, tags: { "kubernetes.io_cluster.legacy-ab1cd": "owned" } } } });
    exits(await adopt(azure), 0);
    await refuses(azure, destroy(azure), 5, "ARO-OWN-006", "legacy-ab1cd", "openshift-install destroy cluster");
    await deleteResources(azure, installed);
    exits(await destroy(azure), 0);
    const { resources, roleAssignments } = await azure.snapshot();
    expect(Object.keys(resources).filter((id) => id.startsWith(groupId.toLowerCase()))).toEqual([]);
    expect(Object.keys(roleAssignments as object).filter((id) => id.includes("/resourcegroups/installed/"))).toEqual([]);
    expect(await resource(azure, groupId.replace(ccoctlGroup(name), "installed"))).toBeDefined();
  });

  test("are not destroyed if another identity trusts the issuer by then", async () => {
    const azure = await left();
    exits(await adopt(azure), 0);
    await seedInOrder(azure, merged([withIdentity(elsewhere), trust(elsewhere, "late", ccoctlUrl(name), "openshift-ingress:router")]));
    await refuses(azure, destroy(azure), 5, "ARO-OWN-006", "theirs", "openshift-ingress:router");
  });
});

describe("adopt refuses", () => {
  const otherSubscription = "5b5c0000-0000-4000-8000-0000000000c2";
  const inOther = `/subscriptions/${otherSubscription}/resourceGroups/far/providers/Microsoft.ManagedIdentity/userAssignedIdentities/far`;
  const hostile: readonly { what: string; words: readonly string[]; make: (azure: TestEmulator) => Promise<void> }[] = [
    {
      what: "an issuer that another identity trusts",
      words: ["ARO-OWN-006", "theirs", "openshift-ingress:router"],
      make: (azure) =>
        seedInOrder(azure, merged([withIdentity(elsewhere), trust(elsewhere, "theirs", ccoctlUrl(name), "openshift-ingress:router")])),
    },
    {
      what: "an issuer that an identity of another subscription trusts",
      words: ["ARO-OWN-006", otherSubscription],
      async make(azure) {
        const reader = { scope: `/subscriptions/${otherSubscription}`, role: "acdd72a7-3385-48ef-bd42-f606fba81ae7" };
        await azure.seed({
          subscriptions: [{ subscriptionId: otherSubscription }],
          roleAssignments: [{ ...reader, principalId: wellKnown.clientPrincipalId }],
        });
        await seedInOrder(
          azure,
          merged([group("far", {}, {}, otherSubscription), withIdentity(inOther), trust(inOther, "far", ccoctlUrl(name), "far:far")]),
        );
      },
    },
    {
      what: "an identity that also trusts the issuer of somebody else",
      words: ["ARO-OWN-006", "token.actions.githubusercontent.com", "repo:corp/app"],
      make: (azure) => azure.seed(trust(firstIdentity, "actions", "https://token.actions.githubusercontent.com", "repo:corp/app")),
    },
    {
      what: "an issuer of several runs of ccoctl",
      words: ["ARO-OWN-001", "second"],
      make: (azure) => addTags(azure, ccoctlAccount(name), ccoctlTags("second")),
    },
    {
      what: "an account of another identity set",
      words: ["ARO-OWN-001", "different owner"],
      make: (azure) => addTags(azure, ccoctlAccount(name), { "aro-hcp-identities": "theirs" }),
    },
    {
      what: "an identity of a cluster",
      words: ["ARO-OWN-001", "different owner"],
      make: (azure) => addTags(azure, firstIdentity, { "aro-hcp-iam": "theirs/x7k2" }),
    },
    {
      what: "a container of another identity set",
      words: ["ARO-OWN-001", "theirs"],
      make: (azure) => setProperties(azure, container, { metadata: { aro_hcp_identities: "theirs" } }),
    },
    {
      what: "an account without the tag of ccoctl",
      words: ["ARO-USAGE-001", `openshift.io_cloud-credential-operator_${name}=owned`],
      make: (azure) => changeResource(azure, ccoctlAccount(name), (stored) => (stored.tags = {})),
    },
  ];

  test.each(titled(hostile))("%s, and writes nothing", async (_what, { words, make }) => {
    const azure = await left();
    await make(azure);
    await refuses(azure, adopt(azure), words.includes("ARO-USAGE-001") ? 2 : 5, ...words);
  });

  test("nothing of others in the same group: they are named, and keep their tags", async () => {
    const azure = await left();
    const theirs = `${groupId}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/theirs`;
    await azure.seed(withIdentity(theirs));
    const { stderr } = exits(await adopt(azure), 0);
    expect(stderr.toLowerCase()).toContain(theirs.toLowerCase());
    expect((await resource(azure, theirs))?.tags).toEqual({});
  });
});

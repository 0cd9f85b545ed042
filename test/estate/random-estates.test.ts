/** `sweep` on random estates, half of them hostile: what is left over goes, nothing else does. ARO_HCP_TEST_ESTATES sets how many. */
import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { assignedComponents } from "../../src/domain/components.js";
import { applicationUniqueName, namedApplication, persistentGroupName } from "../../src/domain/identity-names.js";
import { resourceGroupId, subscriptionScope } from "../../src/domain/resource-id.js";
import { grantName, roleAssignmentName } from "../../src/domain/role-assignment-name.js";
import { wellKnown } from "../../src/emulator/index.js";
import { randomFrom, type Fraction } from "../../tools/simulation/random.js";
import { changeState } from "../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { guid, own } from "./cluster-parts.js";
import { cluster, group, inGroup, merged, network, type Seed } from "./estate-seed.js";

const { subscriptionId } = wellKnown;
const contributor = "b24988ac-6180-42a0-ab88-20f7382dd24c";
const day = 86_400_000;

/** Adds something to the estate. Whoever adds it knows whether it is left over. */
interface Piece {
  readonly seed: Seed;
  /** The IDs of what a sweep removes, as the state has them. */
  readonly leftOver?: readonly string[];
  /** Infra IDs that a caller would give. */
  readonly given?: readonly string[];
  readonly directory?: Directory;
}

interface Directory {
  readonly groups?: readonly object[];
  readonly applications?: readonly object[];
  readonly deletedServicePrincipals?: readonly object[];
}

/** `name`: of this piece alone. */
type Make = (name: string, random: Fraction) => Piece;

const shared = resourceGroupId(subscriptionId, "shared");
const old = new Date(Date.now() - 40 * day).toISOString();
/** The bin keeps it for 30 days. */
const inBin = new Date(Date.now() - 20 * day).toISOString();

function assignment(name: string, principalId: string, more: object = {}) {
  return { scope: shared, name, role: contributor, principalId, createdOn: old, ...more };
}

function assigned(piece: string, random: Fraction, principalOf: (at: number) => string, more: object = {}) {
  const components = assignedComponents.filter(() => random() < 0.5);
  return components.map(({ assigned: { hypershiftName } }, at) => {
    return assignment(roleAssignmentName(`i${piece}`, hypershiftName, shared), principalOf(at), more);
  });
}

const idOf = ({ scope, name }: { readonly scope: string; readonly name: string }) =>
  `${scope}/providers/Microsoft.Authorization/roleAssignments/${name}`.toLowerCase();
const roles = (roleAssignments: readonly object[]): Seed => ({ resources: {}, roleAssignments });
const groupId = (name: string) => resourceGroupId(subscriptionId, name).toLowerCase();
const living = (piece: string) => guid(`living ${piece}`);
const gone = (piece: string) => (at: number) => guid(`gone ${piece} ${String(at)}`);
const key = (piece: string) => ({ name: `c${piece}`, infraId: `i${piece}` });

/** What is left over, and what works. */
const usual: readonly Make[] = [
  (piece, random) => {
    const rows = assigned(piece, random, gone(piece));
    return { seed: roles(rows), leftOver: rows.map(idOf), given: [`i${piece}`] };
  },
  (piece, random) => {
    const rows = assigned(piece, random, gone(piece), { description: `aro-hcp: cluster c${piece}/i${piece}` });
    return { seed: roles(rows), leftOver: rows.map(idOf) };
  },
  (piece, random) => {
    const rows = assigned(piece, random, gone(piece));
    const deletedServicePrincipals = rows.map(({ principalId: id }) => {
      return { id, displayName: "identity", identity: `${shared}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${id}` };
    });
    return { seed: roles(rows), leftOver: rows.map(idOf), given: [`i${piece}`], directory: { deletedServicePrincipals } };
  },
  (piece) => {
    const row = assignment(grantName(gone(piece)(0), contributor, shared), gone(piece)(0));
    return { seed: roles([row]), leftOver: [idOf(row)] };
  },
  (piece) => ({ seed: group(`c${piece}-i${piece}-nsg`, own(key(piece))), leftOver: [groupId(`c${piece}-i${piece}-nsg`)] }),
  (piece) => {
    const name = persistentGroupName(`s${piece}`);
    return { seed: group(name, { "aro-hcp-identities": `s${piece}` }), leftOver: [groupId(name)] };
  },
  (piece) => {
    const managedBy = `${shared}/providers/Microsoft.ContainerService/managedClusters/gone${piece}`;
    return { seed: group(`MC_${piece}`, {}, { managedBy }), leftOver: [groupId(`MC_${piece}`)] };
  },
  (piece) => ({ seed: cluster({ ...key(piece), naming: "documented", tags: own(key(piece)) }) }),
  (piece) => ({ seed: cluster({ ...key(piece), naming: "hypershift" }) }),
];

/** What only looks left over. */
const hostile: readonly Make[] = [
  // The principal is there, or may come back.
  (piece, random) => ({
    seed: roles(assigned(piece, random, () => living(piece))),
    given: [`i${piece}`],
    directory: { groups: [{ id: living(piece), displayName: "living" }] },
  }),
  (piece, random) => {
    const rows = assigned(piece, random, gone(piece));
    const applications = rows.map(({ principalId: servicePrincipalId }) => {
      return { appId: guid(`app ${servicePrincipalId}`), servicePrincipalId, displayName: "cpo", deletedDateTime: inBin };
    });
    return { seed: roles(rows), given: [`i${piece}`], directory: { applications } };
  },
  (piece, random) => ({ seed: roles(assigned(piece, random, gone(piece), { createdOn: new Date().toISOString() })), given: [`i${piece}`] }),
  (piece, random) => ({ seed: roles(assigned(piece, random, gone(piece), { principalType: "ForeignGroup" })), given: [`i${piece}`] }),
  // A name from another scope, and names that nothing computes.
  (piece) => {
    const elsewhere = roleAssignmentName(`i${piece}`, "ingress", resourceGroupId(subscriptionId, "elsewhere"));
    return { seed: roles([assignment(elsewhere, gone(piece)(0)), assignment(guid(`any ${piece}`), gone(piece)(1))]), given: [`i${piece}`] };
  },
  // Copied tags, and names of others.
  (piece) => ({ seed: group(`team-${piece}`, own(key(piece))) }),
  (piece) => ({
    seed: merged([
      group(`c${piece}-i${piece}`, own(key(piece))),
      inGroup(`c${piece}-i${piece}`, "Microsoft.Network/virtualNetworks", "theirs", network),
    ]),
  }),
  (piece) => ({ seed: merged([group(`c${piece}-i${piece}-nsg`, own(key(piece))), group(`c${piece}-i${piece}-vnet`, own(key(piece)))]) }),
  (piece) => ({ seed: group(`c${piece}-i${piece}-nsg`, { ...own(key(piece)), persist: "true" }) }),
  (piece) => {
    const id = `${resourceGroupId(subscriptionId, `c${piece}-i${piece}-nsg`)}/providers/Microsoft.Authorization/locks/frozen`;
    return {
      seed: merged([group(`c${piece}-i${piece}-nsg`, own(key(piece))), { resources: { [id]: { properties: { level: "CanNotDelete" } } } }]),
    };
  },
  // One infra ID begins with the other.
  (piece) => {
    const longer = { name: `c${piece}`, infraId: `i${piece}a` };
    const left = `c${piece}-i${piece}-nsg`;
    return {
      seed: merged([cluster({ ...longer, naming: "documented", tags: own(longer) }), group(left, own(key(piece)))]),
      leftOver: [groupId(left)],
    };
  },
  (piece) => ({
    seed: group(
      `MC_${piece}`,
      {},
      { managedBy: `${subscriptionScope(guid("unseen"))}/resourceGroups/far/providers/Microsoft.ContainerService/managedClusters/far` },
    ),
  }),
  (piece) => {
    const place = { subscriptionId, groupName: persistentGroupName(`s${piece}`), name: `s${piece}` };
    const uniqueName = applicationUniqueName(place, { key: "cpo" });
    const applications = [{ appId: guid(`set ${piece}`), displayName: "cpo", uniqueName }];
    return { seed: group(place.groupName, { "aro-hcp-identities": `s${piece}` }), directory: { applications } };
  },
];

interface RandomEstate {
  readonly azure: TestEmulator;
  readonly pieces: readonly Piece[];
}

async function randomEstate(seed: number): Promise<RandomEstate> {
  const random = randomFrom(String(seed));
  const below = (most: number) => Math.floor(random() * most);
  const kinds = seed % 2 === 0 ? usual : [...usual, ...hostile];
  const pieces = Array.from({ length: 4 + below(8) }, (_, at) =>
    kinds[below(kinds.length)]?.(`${String(at)}x${String(seed)}`, random),
  ).filter((one) => one !== undefined);
  const azure = await testEmulator({ env: { ARO_HCP_LOCAL_TIME_SCALE: "2000" } });
  const all = <T>(of: (directory: Directory) => readonly T[] | undefined) => pieces.flatMap(({ directory = {} }) => of(directory) ?? []);
  await azure.seed({
    ...merged([group("shared"), ...pieces.map((one) => one.seed)]),
    groups: all(({ groups }) => groups),
    applications: all(({ applications }) => applications),
    deletedServicePrincipals: all(({ deletedServicePrincipals }) => deletedServicePrincipals),
  });
  await changeState(azure, ({ resources, applications }) => {
    for (const one of Object.values(applications)) {
      const set = namedApplication(one.uniqueName ?? "")?.set;
      if (set) one.tags = [`aro-hcp-identities:${set.name}`];
    }
    for (const one of Object.values(resources)) if (one) one.createdAt = Date.now() - 3 * day;
  });
  return { azure, pieces };
}

async function idsIn(azure: TestEmulator): Promise<ReadonlySet<string>> {
  const { resources, roleAssignments } = await azure.snapshot();
  return new Set([...Object.keys(resources as object), ...Object.keys(roleAssignments)].map((id) => id.toLowerCase()));
}

const count = Number(process.env["ARO_HCP_TEST_ESTATES"] ?? 6);
const first = process.env["ARO_HCP_TEST_SEED"] === undefined ? randomInt(1_000_000) : Number(process.env["ARO_HCP_TEST_SEED"]);

test.each(Array.from({ length: count }, (_, at) => first + at))("estate %i", async (seed) => {
  const { azure, pieces } = await randomEstate(seed);
  const before = await idsIn(azure);
  const leftOver = new Set(pieces.flatMap((one) => one.leftOver ?? []));
  const given = pieces.flatMap((one) => one.given ?? []);
  const flags = ["sweep", "--cloud", "local", "--yes", ...given.flatMap((id) => ["--infra-ids", id])];
  // A first run ends early: by its cap, or, of one in three, by its death at any request.
  const random = randomFrom(`end ${String(seed)}`);
  const kill = { request: 1 + Math.floor(random() * 60), when: random() < 0.5 ? "before" : "after", kill: true };
  await azure.cli([...flags, "--output-journal", azure.path("first"), "--max", "2"], seed % 3 === 0 ? { faults: [kill] } : {});
  const { code, stderr } = await azure.cli([...flags, "--output-journal", azure.path("second"), "--max", "1000"]);
  expect([0, 8], stderr).toContain(code);
  const after = await idsIn(azure);
  const removed = [...before].filter((id) => !after.has(id));
  expect(removed.toSorted(), `ARO_HCP_TEST_SEED=${String(seed)}`).toEqual([...leftOver].toSorted());
});

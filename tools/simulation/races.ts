/** The races as data: which commands start together, what must be true afterwards, and how the result is destroyed. */
import path from "node:path";
import { ownershipTags } from "../../src/domain/ownership.js";
import { cryptoServiceUser } from "../../src/domain/roles.js";
import { wellKnown } from "../../src/emulator/index.js";
import {
  arcAgentsReport,
  arcExtensionFlags,
  arcFlags,
  clusterFlags,
  createIamFlags,
  createManagementFlags,
  createServiceFlags,
  createZoneFlags,
  demoSeed,
  egressFlags,
  egressSeed,
  hsmFlags,
  hsmSeed,
  iamFlags,
  managementFlags,
  managementSeed,
  otherExtension,
  serviceFlags,
  serviceSeed,
  setFlags,
  wholeFlags,
  zoneFlags,
  type EgressChoice,
  type Meanwhile,
} from "../demo-cluster.js";
import { command, outputDirectory, type Command } from "./commands.js";

export interface Race {
  readonly name: string;
  /** Seed document of resources that exist before. */
  readonly seed?: unknown;
  /** Run one after another before. */
  readonly before?: readonly (Command | Meanwhile)[];
  /** Start together, each after a random pause. */
  readonly racers: readonly Command[];
  /** What others do when a racer has shown its plan. */
  readonly late?: Meanwhile;
  /** Others have a part in what the racers change: the invariants alone say what must be true, and nothing runs afterwards. */
  readonly endsAfterRacers?: true;
  /** What the refusal of each racer names. It changes nothing. */
  readonly refusal?: string;
  /** A create beside a destroy may end with a failure that names the conflict; otherwise every command must succeed. */
  readonly mayConflict?: true;
  /** Run one after another afterwards, and once again: the second time, nothing is left to do. */
  readonly again: readonly (Command | Meanwhile)[];
  /** How many there are of each after the race. */
  readonly wanted?: Amounts;
  /** Run one after another at the end: the state is then the same as at the start. */
  readonly destroys: readonly Command[];
}

/** For each application of a set, each certificate and each secret of its vault, and the issuer. */
export interface Amounts {
  readonly keysOfApplication?: number;
  readonly clientSecrets?: number;
  readonly versionsOfCertificate?: number;
  readonly versionsOfSecret?: number;
  readonly publishedKeys?: number;
}

/** The public keys that are in the directory of a race: `key-1.public`, `key-2.public`. */
export const publicKeys = ["key-1.public", "key-2.public"] as const;

const issuerUrl = ["--oidc-issuer-url", "https://issuer.example.com/demo"];
const second = ["--cloud", "local", "--name", "demo", "--infra-id", "second"];
const otherSet = ["--cloud", "local", "--name", "other", "--resource-group-name", "demo-common"];
const issuer = ["--cloud", "local", "--name", "demo"];

const output = (directory: string) => path.join(directory, outputDirectory);
const createAll: Command = (directory) => ["create", "all", ...wholeFlags, "--output-dir", output(directory), "--yes"];
const destroyAll: Command = () => ["destroy", "all", ...clusterFlags, "--purge", "--yes"];
const createInfra: Command = () => ["create", "infra", ...wholeFlags, "--yes"];
const destroyInfra: Command = () => ["destroy", "infra", ...clusterFlags, "--yes"];
const createSet: Command = () => ["create", "identities", ...setFlags, ...issuerUrl, "--yes"];
const destroySet: Command = () => ["destroy", "identities", ...setFlags, "--purge", "--yes"];
const createOther: Command = () => ["create", "identities", ...otherSet, ...issuerUrl, "--yes"];
const destroyOther: Command = () => ["destroy", "identities", ...otherSet, "--purge", "--yes"];
/** With this time limit, no run waits for the end of the overlap. */
const rotate: Command = () => ["rotate", "credentials", ...setFlags, "--timeout", "301s", "--yes"];
const createKey: Command = () => ["create", "encryption-key", ...setFlags, "--yes"];
const createKeyedSet: Command = () => ["create", "identities", ...setFlags, ...issuerUrl, "--enable-kms", "--yes"];
const publish =
  (...files: readonly string[]): Command =>
  (directory) => [
    "create",
    "oidc-issuer",
    ...issuer,
    ...files.flatMap((file) => ["--public-key-file", path.join(directory, file)]),
    "--yes",
  ];
const destroyIssuer: Command = () => ["destroy", "oidc-issuer", ...issuer, "--yes"];
const createSecond: Command = (directory) => [
  ...["create", "infra", ...second, ...wholeFlags.slice(clusterFlags.length), "--assign-identity-roles", "--yes"],
  ...["--managed-identities-file", path.join(output(directory), "managed-identities.json")],
  ...["--data-plane-identities-file", path.join(output(directory), "data-plane-identities.json")],
];
const destroySecond: Command = () => ["destroy", "infra", ...second, "--yes"];

/** Clusters with names of their own on one set. */
const onSharedSet = (name: string) => ["--cloud", "local", "--name", name, "--infra-id", `${name}-x1`, "--identities-name", "shared"];
const createOnShared =
  (name: string): Command =>
  (directory) => [
    ...["create", "all", ...onSharedSet(name), ...wholeFlags.slice(clusterFlags.length)],
    ...["--output-dir", path.join(output(directory), name), "--yes"],
  ];
const destroyOnShared =
  (name: string): Command =>
  () => ["destroy", "all", ...onSharedSet(name), "--purge", "--yes"];

const createManagement: Command = () => ["create", "management-cluster", ...createManagementFlags, "--yes"];
const destroyManagement: Command = () => ["destroy", "management-cluster", ...managementFlags, "--purge", "--yes"];

const createService: Command = () => ["create", "service-cluster", ...createServiceFlags, "--yes"];
const destroyService: Command = () => ["destroy", "service-cluster", ...serviceFlags, "--purge", "--yes"];

const createArc: Command = (directory) => ["create", "arc", ...arcFlags, "--output-dir", output(directory), "--yes"];
const createArcSecrets: Command = (directory) => [
  ...["create", "arc", "secrets", ...arcFlags, "--output-file", path.join(output(directory), "arc-secrets.json")],
  ...["--output-credential", path.join(output(directory), "arc-credential.json"), "--yes"],
];
const createArcExtension: Command = () => ["create", "arc", "extension", ...arcExtensionFlags, "--yes"];
const destroyArcExtension: Command = () => ["destroy", "arc", "extension", ...arcExtensionFlags, "--yes"];
const connectArc = [createArc, arcAgentsReport];
/** The files of the create prove whose an application with a secret is. */
const destroyArc = command("destroy arc");

const chooseEgress =
  (choice: EgressChoice): Command =>
  () => [...createInfra(""), ...egressFlags[choice]];

const createIam: Command = () => ["create", "iam", ...createIamFlags, "--yes"];
const destroyIam: Command = () => ["destroy", "iam", ...iamFlags, "--yes"];
/** Another cluster's identities in the same group. */
const secondIam = [...second, "--resource-group-name", "demo-iam"];
const createSecondIam: Command = () => ["create", "iam", ...secondIam, ...issuerUrl, "--yes"];
const destroySecondIam: Command = () => ["destroy", "iam", ...secondIam, "--yes"];

const createZone: Command = () => ["create", "dns-zone", ...createZoneFlags, "--yes"];
const destroyZone = command("destroy dns-zone");
/** ExternalDNS of another management cluster. */
const createZoneForSecond: Command = () => [
  "create",
  "dns-zone",
  ...zoneFlags,
  "--oidc-issuer-url",
  "https://issuer.example.com/second",
  "--yes",
];
const createZoneWithSecret: Command = (directory) => [
  ...["create", "dns-zone", ...zoneFlags, "--external-dns-identity", "service-principal"],
  ...["--external-dns-credentials-file", path.join(output(directory), "external-dns.json"), "--yes"],
];
/** Another zone in the same group, below the same zone. */
const greenFlags = zoneFlags.map((flag) => flag.replace(/^blue\./, "green."));
const createGreenZone: Command = () => ["create", "dns-zone", ...greenFlags, ...issuerUrl, "--yes"];
const destroyGreenZone: Command = () => ["destroy", "dns-zone", ...greenFlags, "--yes"];

const one: Amounts = { keysOfApplication: 1, versionsOfCertificate: 1, versionsOfSecret: 1 };
const times = (count: number, command: Command) => Array.from({ length: count }, () => command);

const publications = (name: string): Race => ({
  name,
  racers: [publish(publicKeys[0]), publish(publicKeys[1])],
  again: [publish(...publicKeys)],
  wanted: { publishedKeys: 2 },
  destroys: [destroyIssuer],
});

interface RacedKind extends Pick<Race, "seed" | "before" | "wanted"> {
  readonly create: Command;
  readonly destroy: Command;
  /** Also deletes what the commands of `before` create; absent if `destroy` does. */
  readonly last?: Command;
}

function racesOf(kind: string, { seed, before = [], wanted = {}, create, destroy, last }: RacedKind): Race[] {
  return [
    ...[2, 3].map((count): Race => ({
      name: `create-${kind}-${String(count)}`,
      seed,
      before,
      racers: times(count, create),
      again: [create],
      wanted,
      destroys: [last ?? destroy],
    })),
    {
      name: `destroy-${kind}-2`,
      seed,
      before: [...before, create],
      racers: [destroy, destroy],
      again: [],
      destroys: last ? [last] : [],
    },
    {
      name: `create-beside-destroy-${kind}`,
      seed,
      before: [...before, create],
      racers: [create, destroy],
      mayConflict: true,
      again: [...before, create],
      destroys: [last ?? destroy],
    },
  ];
}

/** Two owners in one resource group. The one that created the group deletes it, when it is empty. */
function sharedGroup(kind: string, creates: readonly [Command, Command], destroys: readonly [Command, Command]): Race[] {
  const inTurn = [...destroys, destroys[0]];
  return [
    { name: `two-of-${kind}`, racers: creates, again: creates, destroys: inTurn },
    { name: `destroy-two-of-${kind}`, before: creates, racers: destroys, again: [], destroys: inTurn },
  ];
}

/** Of the key that encrypts etcd: in the set's vault, or where the flags say. */
function keyRaces(kind: string, { seed, flags = [] }: { readonly seed?: unknown; readonly flags?: readonly string[] } = {}): Race[] {
  const command =
    (verb: string, ...more: readonly string[]): Command =>
    () => [verb, "encryption-key", ...setFlags, ...flags, "--yes", ...more];
  const [create, rotateKey, destroy, purge] = [command("create"), command("rotate"), command("destroy"), command("destroy", "--purge")];
  return [
    {
      name: `create-${kind}-2`,
      seed,
      before: [createKeyedSet],
      racers: [create, create],
      again: [create],
      destroys: [purge, destroySet],
    },
    {
      name: `rotations-of-${kind}`,
      seed,
      before: [createKeyedSet, create],
      racers: [rotateKey, rotateKey],
      again: [rotateKey],
      destroys: [purge, destroySet],
    },
    {
      name: `create-beside-destroy-${kind}`,
      seed,
      before: [createKeyedSet, create],
      racers: [create, destroy],
      mayConflict: true,
      again: [create],
      destroys: [purge, destroySet],
    },
  ];
}

const subscription = `/subscriptions/${wellKnown.subscriptionId}`;
const inGroup = (group: string): Meanwhile => ({
  seed: {
    resources: { [`${subscription}/resourceGroups/${group}/providers/Microsoft.Network/routeTables/theirs`]: { location: "eastus" } },
  },
});
const intoOneFile =
  (create: readonly string[]): Command =>
  (directory) => [...create, "--output-file", path.join(output(directory), "infra.json")];

/** Somebody else registered it first, and made the signed-in principal an owner. */
const plantedApplication: Meanwhile = {
  seed: {
    applications: [
      {
        appId: "bad00000-0000-4000-8000-000000000002",
        displayName: "demo-cpo",
        uniqueName: `aro-hcp.${wellKnown.subscriptionId}.demo-common.demo.cpo`,
        owners: [wellKnown.clientPrincipalId, "bad00000-0000-4000-8000-000000000001"],
      },
    ],
  },
};

/** The role of a disk encryption set on the key of the set. */
const keyOfOthers: Meanwhile = {
  seed: {
    roleAssignments: [
      {
        scope: `${subscription}/resourceGroups/demo-common/providers/Microsoft.KeyVault/vaults/kv-of-demo/keys/demo-etcd-encryption`,
        role: cryptoServiceUser.id,
        principalId: "bad00000-0000-4000-8000-000000000001",
      },
    ],
  },
};
const inNamedVault =
  (of: Command): Command =>
  (directory) => [...of(directory), "--key-vault-name", "kv-of-demo"];

/** Somebody who may write in the subscription has tagged a private zone as one of the cluster, and linked it to the network of others. */
function linkedToOthers(): Meanwhile {
  const network = `${subscription}/resourceGroups/theirs/providers/Microsoft.Network`;
  const [vnet, nsg] = [`${network}/virtualNetworks/theirs`, `${network}/networkSecurityGroups/theirs`];
  const [group, zone] = [`${subscription}/resourceGroups/demo-demo-x7k2-vnet`, `demo-azurecluster.${wellKnown.dnsZone}`];
  const ours = `${group}/providers/Microsoft.Network/privateDnsZones/${zone}`;
  const subnets = [{ name: "default", properties: { addressPrefix: "10.7.0.0/24", networkSecurityGroup: { id: nsg } } }];
  const tags = ownershipTags({ name: "demo", infraId: "demo-x7k2" });
  return {
    seed: {
      resources: {
        [`${subscription}/resourceGroups/theirs`]: { location: "eastus" },
        [nsg]: { location: "eastus", properties: {} },
        [vnet]: { location: "eastus", properties: { addressSpace: { addressPrefixes: ["10.7.0.0/16"] }, subnets } },
        [group]: { location: "eastus", tags },
        [ours]: { location: "global", tags, properties: {} },
        [`${ours}/virtualNetworkLinks/demo-demo-x7k2`]: {
          ...{ location: "global", tags },
          properties: { virtualNetwork: { id: vnet }, registrationEnabled: false },
        },
      },
    },
  };
}

const createWithRoles = command("create infra");
/** The files with the identities of another set. */
const filesOfOther = (directory: string) =>
  (["managed-identities", "data-plane-identities"] as const).map(
    (kind) => [kind, path.join(output(directory), `${kind}-of-other.json`)] as const,
  );
const createOtherWithFiles: Command = (directory) => [
  ...createOther(directory),
  ...filesOfOther(directory).flatMap(([kind, file]) => [`--${kind}-output-file`, file]),
];
/** Of two flags of one name, the last counts. */
const createWithOther: Command = (directory) => [
  ...createWithRoles(directory),
  ...filesOfOther(directory).flatMap(([kind, file]) => [`--${kind}-file`, file]),
];

/** Others have a part in what the racers change. */
const racesBesideOthers: readonly Race[] = [
  { name: "late-in-infra", before: [createInfra], racers: [destroyInfra], late: inGroup("demo-demo-x7k2") },
  { name: "late-in-identities", before: [createSet], racers: [destroySet], late: inGroup("demo-common") },
  {
    name: "one-file-of-two-clusters",
    racers: [intoOneFile(createInfra("")), intoOneFile(["create", "infra", ...second, ...wholeFlags.slice(clusterFlags.length), "--yes"])],
  },
  { name: "planted-link", seed: demoSeed(), before: [linkedToOthers()], racers: [createWithRoles], refusal: "--vnet-id" },
  {
    name: "other-identities",
    seed: demoSeed(),
    before: [createWithRoles, createOtherWithFiles],
    racers: [createWithOther],
    refusal: "--change-identities",
  },
  { name: "planted-application", before: [plantedApplication], racers: [createSet] },
  {
    name: "key-of-others",
    before: [inNamedVault(createKeyedSet), inNamedVault(createKey), keyOfOthers],
    racers: [inNamedVault(destroySet)],
  },
  { name: "destroy-one-on-one-set", before: [createOnShared("blue"), createOnShared("green")], racers: [destroyOnShared("blue")] },
].map((race) => ({ ...race, mayConflict: true, endsAfterRacers: true, again: [], destroys: [] }));

/** Of management and service clusters, which take the longest. */
const clusterRaces: readonly Race[] = [
  ...racesOf("management-cluster", { seed: managementSeed(), create: createManagement, destroy: destroyManagement }),
  ...racesOf("service-cluster", { seed: serviceSeed(), create: createService, destroy: destroyService }),
];

export const races: readonly Race[] = [
  ...[2, 3].flatMap((count): Race[] => [
    {
      name: `create-all-${String(count)}`,
      racers: times(count, createAll),
      again: [createAll],
      wanted: { ...one, publishedKeys: 1 },
      destroys: [destroyAll],
    },
    { name: `create-infra-${String(count)}`, racers: times(count, createInfra), again: [createInfra], destroys: [destroyInfra] },
    {
      name: `create-identities-${String(count)}`,
      racers: times(count, createSet),
      again: [createSet],
      wanted: one,
      destroys: [destroySet],
    },
    {
      name: `create-oidc-issuer-${String(count)}`,
      racers: times(count, publish(publicKeys[0])),
      again: [publish(publicKeys[0])],
      wanted: { publishedKeys: 1 },
      destroys: [destroyIssuer],
    },
  ]),
  {
    name: "two-sets",
    racers: [createSet, createOther],
    again: [createSet, createOther],
    wanted: one,
    // The set that created the common group deletes it, when it is empty.
    destroys: [destroyOther, destroySet, destroyOther],
  },
  publications("publications"),
  {
    name: "rotations",
    before: [createSet],
    racers: [rotate, rotate],
    again: [rotate],
    wanted: { keysOfApplication: 2, versionsOfCertificate: 2, versionsOfSecret: 2 },
    destroys: [destroySet],
  },
  ...keyRaces("encryption-key"),
  ...keyRaces("encryption-key-with-hsm", { seed: hsmSeed(), flags: hsmFlags }),
  { name: "destroy-all-2", before: [createAll], racers: [destroyAll, destroyAll], again: [], destroys: [] },
  {
    name: "destroy-of-two-clusters",
    before: [createAll, createSecond],
    racers: [destroyInfra, destroySecond],
    again: [],
    destroys: [destroyAll],
  },
  {
    name: "create-all-on-one-set",
    racers: [createOnShared("blue"), createOnShared("green")],
    again: [createOnShared("blue"), createOnShared("green")],
    wanted: { ...one, publishedKeys: 2 },
    destroys: [destroyOnShared("blue"), destroyOnShared("green")],
  },
  {
    name: "destroy-all-on-one-set",
    before: [createOnShared("blue"), createOnShared("green")],
    racers: [destroyOnShared("blue"), destroyOnShared("green")],
    again: [],
    // Each may have kept the set for the other.
    destroys: [destroyOnShared("blue")],
  },
  {
    name: "create-beside-destroy-infra",
    before: [createInfra],
    racers: [createInfra, destroyInfra],
    mayConflict: true,
    again: [createInfra],
    destroys: [destroyInfra],
  },
  {
    name: "create-beside-destroy-all",
    before: [createAll],
    racers: [createAll, destroyAll],
    mayConflict: true,
    again: [createAll],
    wanted: { keysOfApplication: 1 },
    destroys: [destroyAll],
  },
  ...racesBesideOthers,
  ...clusterRaces,
  ...racesOf("arc", { seed: {}, create: createArc, destroy: destroyArc }),
  ...racesOf("arc-secrets", {
    seed: {},
    before: [createArc],
    wanted: { clientSecrets: 1 },
    create: createArcSecrets,
    destroy: destroyArc,
  }),
  ...racesOf("arc-extension", {
    ...{ seed: {}, before: connectArc, create: createArcExtension },
    ...{ destroy: destroyArcExtension, last: destroyArc },
  }),
  {
    name: "destroy-connected-arc-2",
    before: [...connectArc, otherExtension, createArcExtension],
    racers: times(2, destroyArc),
    again: [],
    destroys: [],
  },
  {
    name: "create-arc-extension-beside-destroy-arc",
    before: connectArc,
    racers: [createArcExtension, destroyArc],
    mayConflict: true,
    again: [...connectArc, createArcExtension],
    destroys: [destroyArc],
  },
  ...racesOf("iam", { seed: {}, create: createIam, destroy: destroyIam }),
  ...racesOf("dns-zone", { seed: {}, create: createZone, destroy: destroyZone }),
  ...sharedGroup("iam", [createIam, createSecondIam], [destroyIam, destroySecondIam]),
  ...racesOf("dns-zone-with-secret", { seed: {}, wanted: { clientSecrets: 1 }, create: createZoneWithSecret, destroy: destroyZone }),
  ...sharedGroup("dns-zone", [createZone, createGreenZone], [destroyZone, destroyGreenZone]),
  {
    name: "dns-zone-of-two-clusters",
    racers: [createZone, createZoneForSecond],
    again: [createZone, createZoneForSecond],
    destroys: [destroyZone],
  },
  ...racesOf("egress", { seed: egressSeed(), before: [createInfra], create: chooseEgress("nat-gateway"), destroy: destroyInfra }),
  {
    name: "choices-of-egress",
    seed: egressSeed(),
    before: [chooseEgress("addresses")],
    racers: [chooseEgress("existing-gateway"), chooseEgress("routing")],
    mayConflict: true,
    again: [chooseEgress("routing")],
    destroys: [destroyInfra],
  },
];

/** Every file that a command writes, against what may be at its path: only an earlier output of the same command for the same owner is replaced. */
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandIn, takes, type CommandName } from "../../src/settings/commands.js";
import { optionNames, options, type OptionName } from "../../src/settings/options.js";
import type { Option } from "../../src/settings/option.js";
import { throughGate } from "../../src/files/disk.js";
import { createIamFlags, iamGroupSeed, setFlags, wholeFlags, zoneFlags } from "../../tools/demo-cluster.js";
import { demoIssuer } from "../harness/demo-issuer.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { connectedCluster, startAgents } from "../arc/cli/connected-clusters.js";
import { exits, refuses, writesSince } from "../cli/expectations.js";
import { combined, dataPlane, fileOf } from "../identities/cli/identities.js";
import { placePrivateKey, publicFile, testKey } from "../issuer/signing-keys.js";

interface Case {
  /** Creates what the command needs. */
  readonly prepare?: (azure: TestEmulator) => Promise<unknown>;
  /** The command, with its outputs below `out`. */
  readonly command: (out: string, azure: TestEmulator) => readonly string[];
  /** Its output files that a rerun replaces, in `out`. */
  readonly files: readonly string[];
  /** Those of `files` without which a run makes a new client secret. */
  readonly secrets?: readonly string[];
  /** Makes the output one of another owner. */
  readonly other: (text: string) => string;
  /** Whether it creates something in Azure. */
  readonly hasDryRun: boolean;
}

const local = ["--cloud", "local"];
const faster = { env: { ARO_HCP_LOCAL_TIME_SCALE: "1000" } };
const issuer = ["--oidc-issuer-url", "https://issuer.example.com/demo"];
const infra = ["create", "infra", ...local, "--name", "demo", "--infra-id", "demo-x7k2", "--base-domain", "hcp.example.com"];
const run = async (azure: TestEmulator, ...args: readonly string[]) => exits(await azure.cli([...args, "--yes"], faster), 0);

const otherName = (text: string) => text.replaceAll("demo", "blue").replaceAll('"mgmt', '"blue').replaceAll("/mgmt", "/blue");
/** Of client IDs alone. */
const otherIds = (text: string) => text.replaceAll(/[0-9a-f]{8}-/g, "99999999-");
const manifests = (command: string, format: string, out: string) => [
  ...command.split(" "),
  "--format",
  format,
  "--output-file",
  join(out, format),
];

const hostedCluster = async (azure: TestEmulator) => {
  await placePrivateKey(azure.path("demo"), testKey());
  await run(azure, "create", "all", ...wholeFlags, "--output-dir", azure.path("demo"));
  await fileOf(azure, "pull.json", { auths: { "example.com": { auth: "dTpw" } } });
};
const release = ["--release-image", "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64"];
const ofHosted = (azure: TestEmulator) => ["--input-dir", azure.path("demo"), "--key-vault-user-client-id", dataPlane.diskMSIClientID];
const arcSecrets = async (azure: TestEmulator) => {
  await connectedCluster(azure);
  await startAgents(azure);
};
const arcSecretsCommand = (out: string) => [
  ...["create", "arc", "secrets", ...local, "--name", "demo", "--secrets-identity", "service-principal"],
  ...["--output-file", join(out, "secrets.json"), "--output-credential", join(out, "credential.json")],
];
const serviceCluster = (azure: TestEmulator) =>
  run(azure, "create", "service-cluster", ...local, "--name", "demo", "--output-file", azure.path("service.json"));
const ingress = (azure: TestEmulator) => [
  ...["render", "ingress", "--service-cluster-file", azure.path("service.json")],
  ...["--ingress-host", "api.demo.example.com", "--ingress-backend", "rp.backend:443", "--regional-zone", "demo.example.com"],
];
const arcManifests = (azure: TestEmulator) => [
  ...["render", "arc", "--arc-secrets-file", azure.path("secrets.json"), "--credential-file", azure.path("credential.json")],
];

const cases: Readonly<Record<string, Case>> = {
  "create infra": {
    command: (out) => [...infra, "--output-file", join(out, "infra.json")],
    files: ["infra.json"],
    other: otherName,
    hasDryRun: true,
  },
  "create identities": {
    command: (out) => [
      ...["create", "identities", ...setFlags, ...issuer, "--output-file", join(out, "both.json")],
      ...["--output-managed-identities", join(out, "control.json")],
    ],
    files: ["both.json", "control.json"],
    other: otherName,
    hasDryRun: true,
  },
  "create identities with a file of the data plane alone": {
    command: (out) => ["create", "identities", ...setFlags, ...issuer, "--output-data-plane-identities", join(out, "data.json")],
    files: ["data.json"],
    other: otherIds,
    hasDryRun: true,
  },
  "create iam": {
    prepare: (azure) => azure.seed(iamGroupSeed),
    command: (out) => ["create", "iam", ...createIamFlags, "--output-file", join(out, "iam.json")],
    files: ["iam.json"],
    other: otherIds,
    hasDryRun: true,
  },
  "create encryption-key": {
    prepare: (azure) => run(azure, "create", "identities", ...setFlags, ...issuer, "--enable-kms"),
    command: (out) => ["create", "encryption-key", ...setFlags, "--output-file", join(out, "key.json")],
    files: ["key.json"],
    other: otherName,
    hasDryRun: true,
  },
  "rotate encryption-key": {
    prepare: async (azure) => {
      await run(azure, "create", "identities", ...setFlags, ...issuer, "--enable-kms");
      await run(azure, "create", "encryption-key", ...setFlags);
    },
    command: (out) => ["rotate", "encryption-key", ...setFlags, "--output-file", join(out, "key.json")],
    files: ["key.json"],
    other: otherName,
    hasDryRun: true,
  },
  "create management-cluster": {
    command: (out) => [
      ...["create", "management-cluster", ...local, "--name", "mgmt", "--output-file", join(out, "mgmt.json")],
      ...["--output-kubeconfig", join(out, "kubeconfig")],
    ],
    files: ["mgmt.json", "kubeconfig"],
    other: otherName,
    hasDryRun: true,
  },
  "create service-cluster": {
    command: (out) => ["create", "service-cluster", ...local, "--name", "mgmt", "--output-file", join(out, "svc.json")],
    files: ["svc.json"],
    other: otherName,
    hasDryRun: true,
  },
  "create dns-zone": {
    command: (out) => [
      ...["create", "dns-zone", ...zoneFlags, "--external-dns-identity", "service-principal"],
      ...["--output-file", join(out, "zone.json"), "--external-dns-credentials-file", join(out, "azure.json")],
    ],
    files: ["zone.json", "azure.json"],
    secrets: ["azure.json"],
    other: (text) => (text.includes("aadClientId") ? otherIds(text) : text.replaceAll('"name": "', '"name": "other.')),
    hasDryRun: true,
  },
  "create arc": {
    command: (out) => ["create", "arc", ...local, "--name", "demo", "--output-dir", out],
    files: ["arc-values.yaml", "arc-namespace.yaml", "arc-scc.yaml", "arc-commands.sh"],
    other: otherName,
    hasDryRun: false,
  },
  "create arc secrets": {
    prepare: arcSecrets,
    command: arcSecretsCommand,
    files: ["secrets.json", "credential.json"],
    secrets: ["credential.json"],
    other: (text) => (text.includes("clientSecret") ? otherIds(text) : otherName(text)),
    hasDryRun: true,
  },
  "create key-pair": {
    prepare: (azure) => placePrivateKey(azure.path("out"), testKey()),
    command: (out) => ["create", "key-pair", "--output-dir", out],
    files: ["serviceaccount-signer.public"],
    // Any public key follows from its private key, and is replaced with that.
    other: (text) => `${text}${text}`,
    hasDryRun: false,
  },
  "create oidc-issuer": {
    prepare: async (azure) => {
      await placePrivateKey(azure.path("out"), testKey());
      exits(await azure.cli(["create", "key-pair", "--output-dir", azure.path("out")]), 0);
    },
    command: (out) => ["create", "oidc-issuer", ...local, "--name", "demo", "--output-dir", out],
    files: ["openid-configuration"],
    other: (text) => text.replaceAll("https://", "https://other"),
    hasDryRun: true,
  },
  "create all": {
    prepare: (azure) => placePrivateKey(azure.path("out"), testKey()),
    command: (out) => ["create", "all", ...wholeFlags, "--enable-kms", "--output-dir", out],
    files: ["infra.json", "identities.json", "managed-identities.json", "data-plane-identities.json", "encryption-key.json", "jwks"],
    other: (text) =>
      text.includes('"kid"') ? text.replaceAll('"kid"', '"key"') : text.includes("diskMSI") ? otherName(otherIds(text)) : otherName(text),
    hasDryRun: true,
  },
  "render hosted-cluster to a file": {
    prepare: hostedCluster,
    command: (out, azure) => [...manifests("render hosted-cluster", "yaml", out), "--input-dir", azure.path("demo"), ...release],
    files: ["yaml"],
    other: otherName,
    hasDryRun: false,
  },
  "render hosted-cluster to a directory": {
    prepare: hostedCluster,
    command: (out, azure) => [
      ...["render", "hosted-cluster", "--input-dir", azure.path("demo"), ...release, "--pull-secret", azure.path("pull.json")],
      ...["--output-dir", out],
    ],
    files: ["kustomization.yaml", "namespace.yaml", "secrets.yaml", "hosted-cluster.yaml", "node-pools.yaml"],
    other: otherName,
    hasDryRun: false,
  },
  // Two clusters of one name have the same objects.
  "render hosted-cluster of another infra ID": {
    prepare: hostedCluster,
    command: (out, azure) => [...manifests("render hosted-cluster", "yaml", out), "--input-dir", azure.path("demo"), ...release],
    files: ["yaml"],
    other: (text) => text.replaceAll("demo-x7k2", "demo-y8l3"),
    hasDryRun: false,
  },
  "render hosted-cluster of another infra ID as JSON": {
    prepare: hostedCluster,
    command: (out, azure) => [...manifests("render hosted-cluster", "json", out), "--input-dir", azure.path("demo"), ...release],
    files: ["json"],
    other: (text) => text.replaceAll("demo-x7k2", "demo-y8l3"),
    hasDryRun: false,
  },
  "render secret-provider-classes": {
    prepare: hostedCluster,
    command: (out, azure) => [...manifests("render secret-provider-classes", "yaml", out), ...ofHosted(azure)],
    files: ["yaml"],
    other: otherName,
    hasDryRun: false,
  },
  "render secret-provider-classes as JSON": {
    prepare: hostedCluster,
    command: (out, azure) => [...manifests("render secret-provider-classes", "json", out), ...ofHosted(azure)],
    files: ["json"],
    other: otherName,
    hasDryRun: false,
  },
  // The vault belongs to the identity set: management clusters may have hosted clusters of the same names.
  "render secret-provider-classes of another identity set": {
    prepare: hostedCluster,
    command: (out, azure) => [...manifests("render secret-provider-classes", "yaml", out), ...ofHosted(azure)],
    files: ["yaml"],
    other: (text) => text.replaceAll(/\bkv-demo\b/g, "kv-else").replaceAll(/\bkv-demo-/g, "kv-else-"),
    hasDryRun: false,
  },
  "render ingress to a file": {
    prepare: serviceCluster,
    command: (out, azure) => [...ingress(azure), "--output-file", join(out, "ingress.yaml")],
    files: ["ingress.yaml"],
    other: otherName,
    hasDryRun: false,
  },
  "render ingress to a directory": {
    prepare: serviceCluster,
    command: (out, azure) => [...ingress(azure), "--output-dir", out],
    files: ["gateway-aro-hcp-gateway-external.yaml"],
    other: otherName,
    hasDryRun: false,
  },
  "render arc to a file": {
    prepare: async (azure) => {
      await arcSecrets(azure);
      await run(azure, ...arcSecretsCommand(azure.path(".")));
    },
    command: (out, azure) => [...arcManifests(azure), "--output-file", join(out, "arc.yaml")],
    files: ["arc.yaml"],
    other: otherName,
    hasDryRun: false,
  },
  "render arc to a directory": {
    prepare: async (azure) => {
      await arcSecrets(azure);
      await run(azure, ...arcSecretsCommand(azure.path(".")));
    },
    command: (out, azure) => [...arcManifests(azure), "--output-dir", out],
    files: ["0-namespace-arc-demo.yaml"],
    other: otherName,
    hasDryRun: false,
  },
  "render arc as JSON": {
    prepare: async (azure) => {
      await arcSecrets(azure);
      await run(azure, ...arcSecretsCommand(azure.path(".")));
    },
    command: (out, azure) => [...arcManifests(azure), "--output-dir", out, "--format", "json"],
    files: ["2-secretproviderclass-akvprovider-demo.json"],
    other: (text) => text.replace('"keyvaultName": "', "$&other-"),
    hasDryRun: false,
  },
  "render ingress as JSON": {
    prepare: serviceCluster,
    command: (out, azure) => [...ingress(azure), "--output-dir", out, "--format", "json"],
    files: ["service-aks-istio-ingressgateway-external.json"],
    other: (text) => text.replace('azure-pip-name": "', "$&other-"),
    hasDryRun: false,
  },
  "render hypershift-install": {
    prepare: (azure) => fileOf(azure, "pull.json", { auths: { "example.com": { auth: "dTpw" } } }),
    command: (out, azure) => [
      ...["render", "hypershift-install", "--key-vault-user-client-id", dataPlane.diskMSIClientID],
      ...["--pull-secret", azure.path("pull.json"), "--output-dir", out],
    ],
    files: ["hypershift-install.sh", "pull-secret.json"],
    other: (text) => (text.startsWith("#!") ? otherIds(text) : '{"registries":{}}'),
    hasDryRun: false,
  },
  "--output-report and --output-timings": {
    command: (out) => [...infra, "--output-report", join(out, "report.html"), "--output-timings", join(out, "timings.json")],
    files: ["report.html", "timings.json"],
    // They are about the last run, of any cluster.
    other: (text) => text.replace('name="generator"', 'name="author"').replace('"type": "timings"', '"type": "others"'),
    hasDryRun: true,
  },
};

const ofOthers: Readonly<Record<string, string>> = {
  "a file of another command": JSON.stringify({
    controlPlane: { ...combined.controlPlane },
    clientID: "",
    infraID: "theirs",
    apiVersion: "v1",
  }),
  // The words by which earlier versions recognized their files.
  notes: '"infraID" "clientID" "activeKeyID" "kind" "dns-zone" apiVersion "type": "timings" <meta name="generator" content="aro-hcp">\n',
};

/** As a later version of this program might write it: undefined for a format without a version. */
function newer(text: string): string | undefined {
  const changed = text.replace(/("schemaVersion": )(\d+)/, (_, key: string, version: string) => `${key}${String(Number(version) + 1)}`);
  return changed === text ? undefined : changed;
}

/** Runs `work`, and writes the file where `work` has its draft but no file yet, as another run may. */
async function besideAnother<T>(path: string, content: string, work: () => Promise<T>): Promise<T> {
  const isDraft = (name: string) => name.startsWith(basename(path)) && /^\.[0-9a-f-]{36}$/.test(name.slice(basename(path).length));
  const before = async () => {
    const names = await readdir(dirname(path));
    if (!names.includes(basename(path)) && names.some(isDraft)) await writeFile(path, content, { flag: "wx" });
  };
  return throughGate({ before, after: () => undefined }, work);
}

test.each(Object.entries(cases))(
  "%s replaces only its own files",
  async (_what, { prepare, command, files, secrets = [], other, hasDryRun }) => {
    const azure = await testEmulator();
    const out = azure.path("out");
    await mkdir(out, { recursive: true });
    await prepare?.(azure);
    const args = command(out, azure);
    const consent = args[0] === "render" || args[1] === "key-pair" ? [] : ["--yes"];
    exits(await azure.cli([...args, ...consent], faster), 0);
    const again = () => azure.cli([...args, ...(hasDryRun ? ["--dry-run"] : [])], faster);
    exits(await again(), 0);
    await azure.traffic();
    for (const name of files) {
      const path = join(out, name);
      const own = await readFile(path, "utf8");
      const mode = (await stat(path)).mode & 0o777;
      expect(other(own), name).not.toBe(own);
      const contents = { ...ofOthers, "one of another owner": other(own), "one of a newer version": newer(own) };
      for (const [what, content] of Object.entries(contents)) {
        if (content === undefined) continue;
        await writeFile(path, content);
        const { stderr } = exits(await again(), 2);
        expect(stderr, `${name}: ${what}`).toContain("ARO-FILE-004");
        expect(stderr.replaceAll(/\s+/g, " "), `${name}: ${what}`).toContain(name);
        expect(await readFile(path, "utf8"), `${name}: ${what}`).toBe(content);
      }
      const theirs = azure.path("theirs");
      await writeFile(theirs, "notes\n");
      await rm(path);
      await symlink(theirs, path);
      exits(await again(), 2);
      expect(await readFile(theirs, "utf8")).toBe("notes\n");
      await rm(path);
      if (!secrets.includes(name)) {
        exits(await besideAnother(path, "notes\n", () => azure.cli([...args, ...consent], faster)), 1);
        expect(await readFile(path, "utf8"), `${name}: being written`).toBe("notes\n");
      }
      await writeFile(path, "", { mode });
      exits(await again(), 0);
      await writeFile(path, own, { mode });
    }
    expect(await writesSince(azure)).toEqual([]);
    exits(await again(), 0);
  },
);

/** Options with a path where no file is replaced. */
const replacesNothing: Readonly<Partial<Record<OptionName, string>>> = {
  outputEvents: "lines are appended to events of this program only: test/cli/lost-events.test.ts",
  configOutputFile: "an existing configuration stays: test/cli/init.test.ts",
  outputDirOfGraph: "a graph writes nothing",
  installKubeconfig: "the script reads it",
  fleetDir: "each member's command writes its files",
  outputJournal: "a journal is a new file: test/estate/sweep.test.ts",
  jobsDir: "a mark in its first line says who wrote it, as in other manifests",
};

test("every option with a path that a command writes has a case", () => {
  const azure = { path: (name: string) => name } as TestEmulator;
  const covered = Object.values(cases).map(({ command }) => command("out", azure));
  const isWritten = ({ kind, isInput, key }: Option) => (kind === "file" && isInput !== true && key !== "config") || key === "outputDir";
  const written = optionNames.filter((name) => isWritten(options[name]));
  const hasCase = (name: OptionName) =>
    covered.some((args) => args.includes(options[name].flag) && takes(commandIn(args) as CommandName, name));
  expect(written.filter((name) => !hasCase(name)).toSorted()).toEqual(Object.keys(replacesNothing).toSorted());
});

describe("a key set", () => {
  const keySet = (kid: string) => JSON.stringify({ keys: [{ kid, kty: "RSA", n: "AQAB", e: "AQAB" }] });
  const key = testKey();
  const publish = async (files: Readonly<Record<string, string>>) => {
    const azure = await testEmulator();
    const out = azure.path("out");
    await placePrivateKey(out, key);
    exits(await azure.cli(["create", "key-pair", "--output-dir", out]), 0);
    for (const [name, text] of Object.entries(files)) await writeFile(join(out, name), text);
    const result = await azure.cli(["create", "oidc-issuer", ...local, "--name", "demo", "--output-dir", out, "--dry-run"]);
    for (const [name, text] of Object.entries(files)) expect(await readFile(join(out, name), "utf8")).toBe(text);
    return result;
  };
  const discovery = JSON.stringify({ issuer: demoIssuer, jwks_uri: `${demoIssuer}/openid/v1/jwks` });

  test("of the key in the directory is the issuer's, and so is one beside its discovery document: keys are replaced", async () => {
    exits(await publish({ jwks: keySet(key.kid) }), 0);
    exits(await publish({ jwks: keySet("former"), "openid-configuration": discovery }), 0);
  });

  test("of another key belongs to another issuer, and one with private keys to somebody", async () => {
    expect(exits(await publish({ jwks: keySet("other") }), 2).stderr).toContain("it is a key set with the key other of another issuer");
    const secret = JSON.stringify({ keys: [{ kid: key.kid, kty: "RSA", d: "AQAB" }] });
    expect(exits(await publish({ jwks: secret }), 2).stderr).toContain("it is a file that this command did not write");
  });
});

test("the refusal says what the file is, and that nothing was changed", async () => {
  const azure = await testEmulator();
  const file = azure.path("file");
  const words: readonly (readonly [content: string, words: string])[] = [
    ["apiVersion: v1\nkind: Config\nclusters: []\n", "it is a kubeconfig"],
    [testKey().privatePem, "it is a private key"],
    ['{"kind":"dns-zone","name":"blue.example.com"}', 'it is an output file of create dns-zone for "blue.example.com"'],
    ['{"infraID":"theirs"}', 'it is an output file of create infra for "theirs"'],
    [JSON.stringify(combined), "it is a combined identities file"],
    ['{"activeKeyID":"x"}', "it is a file of create encryption-key"],
    ["apiVersion: v1\nkind: Namespace\n---\nkind: x\n", "it is a Kubernetes manifest without the line that says for whom"],
    ["notes", "it is a file that this command did not write"],
    ["a: &a [*a, *a]\nb: [*a", "it is a file that this command did not write"],
  ];
  for (const [content, wanted] of words) {
    await writeFile(file, content);
    await refuses(azure, azure.cli([...infra, "--output-file", file, "--yes"]), 2, "ARO-FILE-004", wanted);
    expect(await readFile(file, "utf8")).toBe(content);
  }
});

test("a file that another run writes meanwhile is not replaced: of two clusters, one keeps its file, and the other says so", async () => {
  const azure = await testEmulator();
  const file = azure.path("infra.json");
  const create = (infraId: string) =>
    azure.cli([...infra.map((word) => (word === "demo-x7k2" ? infraId : word)), "--output-file", file, "--yes"]);
  const runs = await Promise.all([create("one-a"), create("two-b")]);
  expect(runs.map(({ code }) => code).sort()).toEqual([0, 1]);
  const [done, lost] = runs[0].code === 0 ? ["one-a", runs[1]] : ["two-b", runs[0]];
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ infraID: done });
  expect(lost.stderr).toMatch(/ARO-RUN-006/);
  expect(lost.stderr).toContain(`it is the file of cluster demo, infra ID ${done}`);
});

test.each([
  ["create all", [...wholeFlags, "--location", "nowhere"]],
  ["create oidc-issuer", [...local, "--name", "demo", "--location", "nowhere"]],
  ["create arc", [...local, "--name", "demo", "--location", "nowhere"]],
])("a refused %s, and its dry run, leave no directory behind", async (command, flags) => {
  const azure = await testEmulator();
  const key = command === "create oidc-issuer" ? ["--public-key-file", await publicFile(azure.path("keys"), testKey())] : [];
  const run = (...more: readonly string[]) =>
    azure.cli([...command.split(" "), ...flags, ...key, "--output-dir", azure.path("new/out"), ...more], faster);
  for (const more of [[], ["--dry-run"]]) {
    expect((await run(...more)).code, more.join()).toBeGreaterThan(0);
    expect(await readdir(azure.path("."))).not.toContain("new");
  }
});

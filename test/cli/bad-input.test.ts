/**
 * Bad input: all problems are reported together, with flag, variable or line; exit code 2; no prompt, no write.
 * Other tests check which values are refused: test/settings/checks.test.ts for settings, test/files for documents.
 */
import { mkdir, readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { demo, demoDomain, testEmulator } from "../harness/test-emulator.js";
import { exits, titled } from "./expectations.js";
import { controlPlane, fileOf } from "../identities/cli/identities.js";
import { testKey } from "../issuer/signing-keys.js";

type Words = readonly (string | RegExp)[];

interface Case {
  readonly what: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Files by name; `@name` in the arguments is the path. */
  readonly files?: Readonly<Record<string, unknown>>;
  /** Created first. */
  readonly directory?: string;
  readonly words: Words;
}

const create = ["create", "infra"];
const identities = [
  ...["create", "identities", "--cloud", "local", "--name", "demo"],
  ...["--resource-group-name", "common", "--oidc-issuer-url", "https://issuer.example.com/demo"],
];
const good = [...create, ...demo, ...demoDomain];

const cases: readonly Case[] = [
  {
    what: "one file for two options where one can use it: the advice is about the other",
    args: [...good, "--managed-identities-file", "@cp.json", "--data-plane-identities-file", "@cp.json"],
    files: { "cp.json": controlPlane },
    words: [/cp\.json:1 is a control-plane identities file/, /next +pass another file as --data-plane-identities-file/],
  },
  {
    what: "missing files of a configuration file: each with its line and the command that writes it",
    args: [...good, "--config", "@c.yaml"],
    files: { "c.yaml": "managedIdentitiesFile: no1.json\ndataPlaneIdentitiesFile: no2.json\n" },
    words: [/c\.yaml:1: file of create identities with/, /c\.yaml:2: file of create identities with/],
  },
  {
    what: "no settings: each required setting with its flag, variable and key",
    args: [...create, "--cloud", "local"],
    words: ["3 settings", /--name .*ARO_HCP_NAME.* name in/, /--infra-id .*ARO_HCP_INFRA_ID.* infraId in/, /--base-domain .*baseDomain/],
  },
  {
    what: "many wrong flags at once",
    args: [
      ...[...create, "--cloud", "local", "--name", "Demo_1", "--infra-id=-x", "--base-domain", "nodots"],
      ...["--location", "East US 2", "--vnet-cidr", "10.0.0.1/16", "--subnet-cidr", "ten", "--naming", "hypershfit"],
      ...[
        "--timeout",
        "soon",
        "--concurrency",
        "65",
        "-t",
        "aro-hcp-name=me,azurething=1",
        "--disable-cluster-capabilities",
        "imageregistry",
      ],
    ],
    words: [
      /--name +"Demo_1" must have 1 to 63 lowercase letters/,
      /--infra-id +"-x" must have 1 to 63 lowercase letters/,
      /--base-domain +"nodots" is not/,
      /--location +"East US 2".*did you mean "eastus2"/,
      /--vnet-cidr +"10\.0\.0\.1\/16".*did you mean "10\.0\.0\.0\/16"/,
      /--subnet-cidr +"ten" is not/,
      /--naming +"hypershfit".*did you mean "hypershift"/,
      /--timeout +"soon" is not a duration/,
      /--concurrency +65 is not between/,
      /--resource-group-tags +tag "aro-hcp-name" is reserved/,
      /--resource-group-tags +tag "azurething" starts with "azure"/,
      /--disable-cluster-capabilities .*did you mean "ImageRegistry"/,
    ],
  },
  {
    what: "events and the result both on stdout",
    args: [...good, "-o", "json", "--output-events", "-"],
    words: [/--output-events .*cannot be standard output/],
  },
  {
    what: "an output file in a missing directory",
    args: [...good, "--output-file", "@nowhere/infra.json"],
    words: [/cannot write .*nowhere/],
  },
  {
    what: "an events file that cannot be written",
    args: [...good, "--output-events", "@nowhere/events.ndjson"],
    words: [/cannot write .*events\.ndjson/, "ARO-FILE-004"],
  },
  ...(["--output-file", "--output-managed-identities", "--output-data-plane-identities"] as const).map((flag) => ({
    what: `${flag} of identities in a missing directory`,
    args: [...identities, flag, "@nowhere/ids.json"],
    words: [/ARO-FILE-004/, /cannot write .*nowhere/],
  })),
  ...(["--output-file", "--output-events"] as const).map((flag) => ({
    what: `${flag} that is a directory`,
    args: [...good, flag, "@."],
    words: [/ARO-FILE-004/, /cannot write .*: it is a directory/],
  })),
  {
    what: "an output directory of create all that contains a directory with the name of a document",
    args: ["create", "all", ...demo, ...demoDomain, "--dns-zone-rg-name", "dns", "--output-dir", "@."],
    directory: "managed-identities.json",
    words: [/ARO-FILE-004/, /managed-identities\.json: it is a directory/],
  },
  {
    what: "an output directory of create oidc-issuer that contains a directory with the name of a document",
    args: ["create", "oidc-issuer", "--cloud", "local", "--name", "demo", "--public-key-file", "@key", "--output-dir", "@."],
    files: { key: testKey().publicPem },
    directory: "jwks",
    words: [/ARO-FILE-004/, /jwks: it is a directory/],
  },
  {
    what: "an output directory of create key-pair that contains a directory with the name of a file",
    args: ["create", "key-pair", "--output-dir", "@."],
    directory: "serviceaccount-signer.public",
    words: [/ARO-FILE-004/, /serviceaccount-signer\.public: it is a directory/],
  },
  {
    what: "an output directory that is a file",
    args: ["create", "key-pair", "--output-dir", "@taken"],
    files: { taken: "x" },
    words: [/ARO-FILE-004/, /taken/],
  },
  {
    what: "events into the file of the public key",
    args: ["create", "oidc-issuer", "--cloud", "local", "--name", "demo", "--public-key-file", "@key", "--output-events", "@key"],
    files: { key: "x" },
    words: [/--output-events .*is also an input \(publicKeyFile\)/],
  },
  {
    what: "an unknown flag, with the most similar one",
    args: [...good, "--vnet-cdir", "10.0.0.0/16"],
    words: [/\[ARO-USAGE-001\]\n {2}--vnet-cdir {2}is not an option of create infra; did you mean "--vnet-cidr"\?/],
  },
  {
    what: "an unknown command",
    args: ["create", "infrastructure"],
    words: [/there is no command "create infrastructure"/, /`aro-hcp create --help` lists/],
  },
  {
    what: "too many arguments",
    args: [...good, "surplus"],
    words: [/"surplus" +is an unexpected argument: create infra takes only flags/],
  },
  {
    what: "unknown keys in the config file, each with its line",
    args: [...create, "--config", "@aro.yaml"],
    files: { "aro.yaml": "cloud: local\nname: demo\ninfraid: demo-x7k2\nbaseDomain: hcp.example.com\nyes: true\nvnetCidr: 10\n" },
    words: [
      /aro\.yaml:3 +"infraid" is not a setting; did you mean "infraId"/,
      /aro\.yaml:5 +"yes" cannot be set in a file; pass --yes/,
      /aro\.yaml:6 +expected text, got a number/,
    ],
  },
  {
    what: "a wrong variable of the environment, by its name",
    args: good,
    env: { ARO_HCP_LOCATION: "East US", ARO_HCP_CONCURRENCY: "many" },
    words: [/ARO_HCP_LOCATION .*"eastus"/, /ARO_HCP_CONCURRENCY .*whole number/],
  },
  {
    what: "malformed credentials: each key is reported, and no value",
    args: [...good, "--azure-creds", "@creds.json"],
    files: { "creds.json": { subscriptionId: "s3cret-one", tenantId: "7e7a0000-0000-4000-8000-000000000001", clientSecret: "s3cret-two" } },
    words: ["subscriptionId: expected a UUID", "clientId: is missing"],
  },
  {
    what: "destroy with an invalid name and without an infra ID",
    args: ["destroy", "infra", "--cloud", "local", "--name", "Demo!", "--yes"],
    words: [/--name +"Demo!" must have 1 to 63 lowercase letters/, /--infra-id .*--infra-file/],
  },
  {
    what: "two missing files: both are reported",
    args: [...good, "--managed-identities-file", "@cp.json", "--data-plane-identities-file", "@dp.json"],
    words: [
      /2 files cannot be used {2}\[ARO-FILE-001\]/,
      /--managed-identities-file +cannot read .*cp\.json: no such file or directory/,
      /--data-plane-identities-file +cannot read .*dp\.json: no such file or directory/,
    ],
  },
  {
    what: "two malformed files: the problems of both",
    args: [...good, "--managed-identities-file", "@cp.json", "--azure-creds", "@creds.json"],
    files: { "cp.json": { controlPlane: {} }, "creds.json": { subscriptionId: "s3cret-one" } },
    words: [
      /2 files cannot be used {2}\[ARO-FILE-00\d\]/,
      /--managed-identities-file +.*cp\.json/,
      /creds\.json:\d+ +subscriptionId: expected a UUID/,
    ],
  },
  {
    what: "a missing setting and a malformed file",
    args: [...good, "--assign-identity-roles", "--managed-identities-file", "@cp.json"],
    files: { "cp.json": { controlPlane: {} } },
    words: [/--assign-identity-roles +requires --dns-zone-rg-name/, /--managed-identities-file +.*cp\.json/],
  },
  {
    what: "missing settings, a missing file and a misspelled flag: all are reported",
    args: [
      ...create,
      "--cloud",
      "local",
      "--naem",
      "demo",
      "--infra-id",
      "x1",
      "--managed-identities-file",
      "@cp.json",
      "--assign-identity-roles",
    ],
    words: [
      /4 settings cannot be used/,
      /--naem +is not an option of create infra/,
      /--base-domain +is required/,
      /--assign-identity-roles +requires --dns-zone-rg-name/,
      /--managed-identities-file +cannot read .*cp\.json: no such file/,
    ],
  },
  {
    what: "flags that contradict the file of --infra-file",
    args: [
      ...["destroy", "infra", "--cloud", "local", "--infra-file", "@infra.json", "--yes", "--name", "other"],
      ...["--infra-id", "other-1", "--subscription", "22222222-2222-2222-2222-222222222222"],
    ],
    files: { "infra.json": { clusterName: "demo", infraID: "demo-x7k2", subscriptionID: "11111111-1111-1111-1111-111111111111" } },
    words: [/--name +is "other", but .*"demo"/, /--infra-id +is "other-1", but .*"demo-x7k2"/, /--subscription +is "2222.*, but .*"1111/],
  },
  {
    what: "an infra document and credentials for different subscriptions",
    args: ["destroy", "infra", "--cloud", "local", "--infra-file", "@infra.json", "--yes"],
    files: { "infra.json": { clusterName: "demo", infraID: "demo-x7k2", subscriptionID: "11111111-1111-1111-1111-111111111111" } },
    words: [
      /azure-creds\.json +is for subscription "5b5c/,
      /infra\.json +belongs to a cluster in subscription "1111/,
      "--subscription 1111",
    ],
  },
];

test.each(titled(cases))("%s", async (_what, { args, env, files = {}, directory, words }) => {
  const azure = await testEmulator();
  if (directory !== undefined) await mkdir(azure.path(directory));
  for (const [name, content] of Object.entries(files)) await fileOf(azure, name, content);
  const before = (await readdir(azure.path("."))).toSorted();
  const given = args.map((arg) => (arg.startsWith("@") ? azure.path(arg.slice(1)) : arg));
  const { stdout, stderr } = exits(await azure.cli(given, env ? { env } : {}), 2);
  for (const word of words) expect(stderr).toMatch(word);
  if (args.includes("json")) expect(JSON.parse(stdout)).toMatchObject({ ok: false });
  else expect(stdout).toBe("");
  expect(stderr).not.toContain("s3cret");
  expect(await azure.traffic()).toEqual([]);
  expect((await readdir(azure.path("."))).toSorted()).toEqual(before);
});

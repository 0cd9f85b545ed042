/** A mistake gets one block, which names the flag, file or resource, what exists, and the command to run next. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { always, put } from "../faults/fault-runs.js";
import { exits } from "./expectations.js";

const cluster = ["--name", "demo", "--infra-id", "x7k2"];
const image = ["--release-image", "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64"];

interface Mistake {
  readonly args: string;
  readonly exit: number;
  readonly says: readonly RegExp[];
}

/** DIR is the directory of a create all whose load balancer and two certificates failed. */
const mistakes: readonly Mistake[] = [
  { args: "create infrastructure", exit: 2, says: [/did you mean "create infra"\?/] },
  { args: "create zone", exit: 2, says: [/did you mean "create dns-zone"\?/] },
  { args: "show identity --name demo", exit: 2, says: [/did you mean "show identities"\?/] },
  { args: "delete infrastructure", exit: 2, says: [/use `destroy infra`/] },
  {
    args: "show settings create all --naem x",
    exit: 2,
    says: [/--naem +is not an option of create all/, /`aro-hcp help create all --help-all`/],
  },
  {
    args: "show infra --name demo --infra-id x7k2 --subscription 00000000-0000-4000-8000-000000000009",
    exit: 5,
    says: [/^error: subscription 00000000-0000-4000-8000-000000000009, from --subscription, was not found/],
  },
  {
    args: "render hosted-cluster --input-dir DIR --pull-secret DIR/infra.json",
    exit: 2,
    says: [/infra.json is not valid as a pull secret/],
  },
  {
    args: "rotate credentials --identities-name dmo --yes",
    exit: 5,
    says: [/belongs to the identity set "dmo"; .*did you mean "demo"\?/, /check --identities-name/],
  },
  { args: "rotate encryption-key --identities-name dmo --yes", exit: 5, says: [/did you mean "demo"\?/, /check --identities-name/] },
  { args: "create encryption-key --identities-name dmo --yes", exit: 5, says: [/did you mean "demo"\?/, /check --identities-name/] },
  {
    args: "create infra --name demo --infra-id x7k2 --base-domain hcp.example.com --location westus3 --yes",
    exit: 5,
    says: [/--location is westus3, but \d+ existing resources .* in eastus/, /pass --location eastus/],
  },
  {
    args: "create infra --name blue --infra-id b1 --base-domain hcp.exampel.com --location eastus --yes",
    exit: 5,
    says: [/correct --base-domain; did you mean "hcp.example.com"\?/, /`aro-hcp create dns-zone .*--base-domain hcp.exampel.com/],
  },
  { args: "verify identities --input-dir DIR --component cp", exit: 2, says: [/did you mean "cpo"\?/, /correct --component$/m] },
  {
    args: "verify infra --input-dir DIR --only subnet-nsg",
    exit: 2,
    says: [/did you mean .*subnet-security-group/, /correct --only$/m, /`aro-hcp help verify infra --help-all`/],
  },
  {
    args: "render hosted-cluster --input-dir DIR --release-image 4.20",
    exit: 2,
    says: [/--release-image +"4.20" is not an image such as quay.io/, /correct --release-image$/m],
  },
  {
    args: "create infra --name blue --infra-id b1 --base-domain hcp.example.com --location eastus --expected-nodes 9 --egress nat-gateway",
    exit: 2,
    says: [/--expected-nodes +requires --egress load-balancer/, /pass what --expected-nodes requires, or omit it$/m],
  },
  {
    args: `render hosted-cluster --input-dir DIR ${image.join(" ")}`,
    exit: 2,
    says: [
      /DIR\/identities.json:\d+ +controlPlane.disk: is missing/,
      /the create that writes it is still running, or broke off/,
      /`aro-hcp create all --cloud local --name demo --infra-id x7k2 --base-domain hcp.example.com --dns-zone-rg-name dns --output-dir DIR`/,
    ],
  },
  {
    args: "create oidc-issuer --identities-name blue --location eastus --public-key-file absent.public",
    exit: 2,
    says: [/cannot read absent.public: no such file/, /as --public-key-file: PEM file of a public key/],
  },
  {
    args: "verify management-cluster --management-cluster-file DIR/infra.json",
    exit: 2,
    says: [
      /DIR\/infra.json:1 is no output file of an AKS cluster/,
      /as --management-cluster-file: output file of create management-cluster/,
    ],
  },
  {
    args: "create infra --name blue --infra-id b1 --base-domain hcp.example.com --location eastus --output-file DIR/absent/infra.json",
    exit: 2,
    says: [/cannot write DIR\/absent\/infra.json/, /as --output-file$/m],
  },
  { args: "doctor --name blue --vnet-cidr 10.0.0.0", exit: 2, says: [/--vnet-cidr +"10.0.0.0" is not/, /correct --vnet-cidr/] },
  { args: "verify identities --cloud local", exit: 2, says: [/--input-dir +or .* is required/, /pass --input-dir$/m] },
  { args: "show settings", exit: 2, says: [/<command> +is required, as in: aro-hcp show settings create infra/] },
];

let azure: TestEmulator;

beforeAll(async () => {
  azure = await testEmulator({ atEnd: afterAll });
  const refused = { status: 409, body: { error: { code: "Conflict", message: "held back" } } };
  const faults = [
    { ...put.balancer, ...always, answer: refused },
    { method: "POST", path: "/certificates/demo-(?:disk|ingress)-cert/create", ...always, answer: refused },
  ];
  const place = [
    "--location",
    "eastus",
    "--base-domain",
    "hcp.example.com",
    "--dns-zone-rg-name",
    "dns",
    "--output-dir",
    azure.path("demo"),
  ];
  exits(await azure.cli(["create", "all", "--cloud", "local", ...cluster, ...place, "--yes"], { faults }), 1);
});

/** The output with DIR in place of the directory. */
async function run(args: string, exit: number) {
  const line = args.replaceAll("DIR", azure.path("demo")).split(" ");
  const { stdout, stderr } = exits(await azure.cli(line, { env: { ARO_HCP_CLOUD: "local" } }), exit);
  return { stdout: stdout.replaceAll(azure.path("demo"), "DIR"), stderr: stderr.replaceAll(azure.path("demo"), "DIR") };
}

test.each(mistakes)("$args", async ({ args, exit, says }) => {
  const { stderr } = await run(args, exit);
  for (const words of says) expect(stderr).toMatch(words);
  expect(stderr.match(/^error: /gm)).toHaveLength(1);
  expect(stderr.match(/^ {2}more +aro-hcp help ARO-\w+-\d{3}$/gm)).toHaveLength(1);
  expect(stderr).not.toMatch(/\babove\b/);
});

test("verify of what an unfinished create has written says to rerun that create, with what is known", async () => {
  const { stdout } = await run("verify identities --input-dir DIR", 6);
  expect(stdout).toMatch(
    /not complete: .*rerun it: `aro-hcp create all --cloud local --output-dir DIR --name demo --infra-id x7k2 --base-domain hcp.example.com --dns-zone-rg-name dns`/,
  );
});

test("show all of an unfinished create names what is absent, and the create", async () => {
  const { stderr } = await run(`show all ${cluster.join(" ")}`, 0);
  expect(stderr).toMatch(/absent: load balancer x7k2, credential of disk, credential of ingress; rerun it: `aro-hcp create all /);
});

test.each(["microsoft", "my-windows", "login1", "office"])("a create with the reserved name %s says so before its plan", async (name) => {
  const { stderr } = await run(`create infra --name ${name} --infra-id b1 --base-domain hcp.example.com --location eastus --dry-run`, 0);
  expect(stderr).toMatch(/^notice: the name "\S+" has the word "(?:microsoft|windows|login|office)", which Azure reserves/);
});

/** Rows of the checks of identity files. All other checks depend on them. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { givenDocument } from "../../../src/files/given-document.js";
import type { RenderedResult as Result } from "../../../src/run/verification.js";
import { demoIssuer } from "../../harness/demo-issuer.js";
import { everyLine, run } from "../../verify/advice.js";
import { commandsIn, type HealthyState } from "../../verify/healthy-state.js";
import { editFiles, identitiesOutputFile, otherFile, type Files, type Row } from "./identity-rows.js";

const setFlags = ["--name", "demo", "--resource-group-name", "demo-common"];

/** The value in the advice: in quotes, after the name of the field. */
function wordIn({ next = "" }: Result, field: string): string {
  const [, word] = new RegExp(`${field}(?: to)? "([^"]+)"`).exec(next) ?? [];
  if (word === undefined) throw new Error(`"${next}" gives no value for ${field}`);
  return word;
}

/** The client ID of a control plane component, from `aro-hcp show identities`. */
async function shownClientId(state: HealthyState, component: string): Promise<string> {
  const shown = JSON.parse(await state.aroHcp(["show", "identities", ...setFlags, "--key-vault-name", state.vault, "-o", "json"])) as {
    controlPlane: { component: string; clientId: string }[];
  };
  return shown.controlPlane.find((one) => one.component === component)?.clientId ?? "";
}

/** Sets the values in a component's entry that the advice gives. */
const setValues =
  (field: string): NonNullable<Row["follow"]> =>
  async (state, result) => {
    const keys = ["clientID", "credentialsSecretName"].filter((key) => result.next?.includes(`set ${key} to "`));
    await editFiles(state, ({ controlPlane }) => {
      for (const key of keys) controlPlane[field]![key] = wordIn(result, key);
    });
  };

/** A row whose fault is an edit of identities.json. */
function ofFile(row: string, fault: string, edit: (files: Files) => unknown, evidence: RegExp, more: Partial<Row>): Row {
  return { row, fault, evidence, breaks: (state) => editFiles(state, edit), ...more };
}

const unknownId = "00000000-dead-4000-8000-000000000000";
const vaultOf = ({ controlPlane }: Files) => controlPlane["managedIdentitiesKeyVault"] ?? {};

const shapeRows: readonly Row[] = [
  ofFile(
    "file-shape/control plane",
    "another kind of file",
    () => ({ infraID: "demo-x7k2" }),
    /is an output file of create infra, expected a control-plane identities file/,
    {
      next: /or create all wrote/,
      // "pass the file that create all wrote"
      follow: (state) => otherFile(state, "managed-identities.json"),
    },
  ),
  ofFile("file-shape/control plane", "a file that is neither JSON nor YAML", () => "{", /not well-formed/, {
    next: /correct the file at the line/,
  }),
  ofFile("file-shape/control plane", "a file of an unknown shape", () => "hello", /is not a known identity file/, {
    next: /--output-managed-identities/,
  }),
  ofFile(
    "file-entries/control plane",
    "a missing entry",
    ({ controlPlane }) => void delete controlPlane["disk"],
    /no entry for disk \(HyperShift rejects a HostedCluster without it\)/,
    {
      next: /add disk at .*identities\.json:2/,
      async follow(state) {
        const whole = JSON.parse(await readFile(join(state.files, "managed-identities.json"), "utf8")) as Files["controlPlane"];
        await editFiles(state, ({ controlPlane }) => void (controlPlane["disk"] = whole["disk"] ?? {}));
      },
    },
  ),
  ofFile(
    "file-entries/control plane",
    "unknown components and fields",
    ({ controlPlane }) => {
      controlPlane["disc"] = {};
      controlPlane["disk"]!["clientId"] = "x";
    },
    /unknown entries: disc, disk\.clientId/,
    { next: /remove disc, disk\.clientId from the file/ },
  ),
  ofFile("file-entries/control plane", "an unknown part", (files) => ({ ...files, extra: 1 }), /unknown entries: extra/, {
    next: /remove extra from the file/,
  }),
];

const valueRows: readonly Row[] = [
  ofFile(
    "file-vault/vault",
    "a vault in another tenant",
    (files) => void (vaultOf(files)["tenantID"] = "11111111-1111-4111-8111-111111111111"),
    /the tenant in the file is 1111\S*, but you are signed in to 7e7a/,
    {
      next: /az login --tenant 1111/,
      follow: async (state, result) =>
        void (await editFiles(state, (files) => void (vaultOf(files)["tenantID"] = wordIn(result, "tenantID")))),
    },
  ),
  ofFile(
    "file-vault/vault",
    "a vault URL instead of its name",
    (files) => void (vaultOf(files)["name"] = "https://x.vault.azure.net"),
    /the vault name is not valid/,
    { next: /not its URL/ },
  ),
  ofFile(
    "file-vault/vault",
    "a tenant name instead of its ID",
    (files) => void (vaultOf(files)["tenantID"] = "contoso"),
    /tenantID is not a UUID/,
    { next: /set tenantID to "7e7a/ },
  ),
  ofFile(
    "file-values/ingress",
    "a client ID that is not a UUID",
    ({ controlPlane: { ingress } }) => void (ingress!["clientID"] = "ingress"),
    /clientID is not a UUID/,
    {
      next: /correct .*identities\.json:\d+/,
      async follow(state) {
        const clientId = await shownClientId(state, "ingress");
        await editFiles(state, ({ controlPlane: { ingress } }) => void (ingress!["clientID"] = clientId));
      },
    },
  ),
  ofFile(
    "file-values/ingress",
    "an invalid secret name",
    ({ controlPlane: { ingress } }) => void (ingress!["credentialsSecretName"] = "a_b"),
    /credentialsSecretName is not 1 to 127 letters/,
    { next: /show identities/ },
  ),
  ofFile(
    "file-values/ingress",
    "an unknown encoding",
    ({ controlPlane: { ingress } }) => void (ingress!["objectEncoding"] = "utf8"),
    /objectEncoding is not one of utf-8, hex, base64/,
    { next: /objectEncoding is utf-8/ },
  ),
  ofFile("file-values/kms", "a client ID that is not text", ({ kms }) => void (kms!["clientID"] = 7), /clientID is not a UUID/, {
    next: /correct .*identities\.json:\d+: /,
  }),
  ofFile(
    "file-data-plane/azure-disk-MI",
    "a client ID that is not a UUID",
    ({ dataPlane }) => void (dataPlane["diskMSIClientID"] = "disk"),
    /diskMSIClientID is not a UUID/,
    {
      next: /az identity list/,
      async follow(state, result) {
        const listed = (await run(state, commandsIn(result)[0] ?? "")) as { name: string; clientId: string }[];
        const clientId = listed.find(({ name }) => name === "azure-disk-MI-demo")?.clientId;
        await editFiles(state, ({ dataPlane }) => void (dataPlane["diskMSIClientID"] = clientId));
      },
    },
  ),
  ofFile(
    "file-data-plane/azure-disk-MI",
    "the client ID of a service principal",
    ({ dataPlane, controlPlane }) => void (dataPlane["diskMSIClientID"] = controlPlane["disk"]!["clientID"]),
    /diskMSIClientID also belongs to disk/,
    { next: /correct .*identities\.json/ },
  ),
  ofFile(
    "file-data-plane/azure-file-MI",
    "the client ID of the KMS identity",
    ({ dataPlane, kms }) => void (dataPlane["fileMSIClientID"] = kms!["clientID"]),
    /fileMSIClientID also belongs to kms/,
    { next: /correct .*identities\.json/ },
  ),
];

const componentRows: readonly Row[] = [
  ofFile(
    "file-component/disk",
    "swapped entries",
    ({ controlPlane: plane }) => void ([plane["disk"], plane["file"]] = [plane["file"]!, plane["disk"]!]),
    /^.*identities\.json:\d+: clientID \S+ belongs to file, the correct value is \S+; .*json:\d+: secret demo-file belongs to file, the correct value is demo-disk; file has that value, so the two may be swapped$/,
    {
      follow: setValues("disk"),
      also: [
        {
          row: "file-component/file",
          evidence: /secret demo-disk belongs to disk, the correct value is demo-file; disk has that value, so the two may be swapped$/,
          follow: setValues("file"),
        },
      ],
    },
  ),
  ofFile(
    "file-component/ingress",
    "a client ID of no application",
    ({ controlPlane: { ingress } }) => void (ingress!["clientID"] = unknownId),
    /json:\d+: clientID 00000000-dead-\S+ does not exist, the correct value is /,
    { follow: setValues("ingress") },
  ),
  ofFile(
    "file-component/azure-disk-MI",
    "swapped managed identities",
    ({ dataPlane: plane }) =>
      void ([plane["diskMSIClientID"], plane["fileMSIClientID"]] = [plane["fileMSIClientID"], plane["diskMSIClientID"]]),
    /diskMSIClientID \S+ belongs to azure-file-MI \(azure-file-MI-demo\), the correct value is \S+; azure-file-MI has that value, so the two may be swapped$/,
    {
      follow: everyLine,
      also: [{ row: "file-component/azure-file-MI", evidence: /fileMSIClientID \S+ belongs to azure-disk-MI/ }],
    },
  ),
  ofFile(
    "file-component/image-registry-MI",
    "a client ID of no managed identity",
    ({ dataPlane }) => void (dataPlane["imageRegistryMSIClientID"] = unknownId),
    /imageRegistryMSIClientID 00000000-dead-\S+ is not the client ID of a managed identity, the correct value is /,
    { follow: everyLine },
  ),
  ofFile(
    "secret-exists/cpo",
    "the name of no secret",
    ({ controlPlane }) => void (controlPlane["controlPlaneOperator"]!["credentialsSecretName"] = "demo-cppo"),
    /has no secret demo-cppo \(.*identities\.json:\d+\); the secret of cpo is demo-cpo$/,
    { follow: everyLine },
  ),
  ofFile(
    "credential-json/disk",
    "another encoding than the value's",
    ({ controlPlane: { disk } }) => void (disk!["objectEncoding"] = "base64"),
    /^the value is JSON in utf-8, but objectEncoding in the file is base64$/,
    {
      follow: async (state, result) =>
        void (await editFiles(state, ({ controlPlane: { disk } }) => void (disk!["objectEncoding"] = wordIn(result, "objectEncoding")))),
    },
  ),
  ofFile(
    "secret-plain/file",
    "a certificate instead of its credential",
    ({ controlPlane: { file } }) => void (file!["credentialsSecretName"] = "demo-file-cert"),
    /belongs to the certificate of that name/,
    {
      async follow(state, result) {
        const names = (await run(state, commandsIn(result)[0] ?? "")) as string[];
        const name = names.find((one) => one === "demo-file");
        await editFiles(state, ({ controlPlane: { file } }) => void (file!["credentialsSecretName"] = name));
      },
    },
  ),
];

const setRows: readonly Row[] = [
  {
    row: "file-set/control plane",
    fault: "a file of another set than the cluster uses",
    async given(state) {
      const path = join(state.root, "green.json");
      const set = ["--identities-name", "green", "--oidc-issuer-url", demoIssuer, "--output-file", path];
      await state.aroHcp(["create", "identities", "--cloud", "local", ...set, "--yes"]);
      return { managedIdentities: await givenDocument(path) };
    },
    evidence: /green\.json are of identity set green in resource group green-common, but cluster \S+ uses identity set demo/,
    next: /pass the file of identity set demo/,
    follow: async (state) => ({ managedIdentities: await givenDocument(identitiesOutputFile(state)) }),
  },
];

export const fileRows: readonly Row[] = [...shapeRows, ...setRows, ...valueRows, ...componentRows];

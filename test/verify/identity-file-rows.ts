/** Rows of the checks of identity files. All other checks depend on them, so each wave has few faults. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RenderedResult as Result } from "../../src/cli/run/verification.js";
import { everyLine, run } from "./advice.js";
import { commandsIn, type HealthyState } from "./healthy-state.js";
import { editFiles, otherFile, type Files, type Row, type Wave } from "./identity-rows.js";

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
async function putThere(state: HealthyState, field: string, result: Result): Promise<void> {
  const keys = ["clientID", "credentialsSecretName"].filter((key) => result.next?.includes(`set ${key} to "`));
  await editFiles(state, ({ controlPlane }) => {
    for (const key of keys) controlPlane[field]![key] = wordIn(result, key);
  });
}

const alone = (title: string, ...rows: readonly Row[]): Wave => ({ title, rows });
const vaultOf = ({ controlPlane }: Files) => controlPlane["managedIdentitiesKeyVault"] ?? {};

export const fileWaves: readonly Wave[] = [
  alone("another kind of file instead of an identity file", {
    row: "file-shape/control plane",
    breaks: (state) => editFiles(state, () => ({ infraID: "demo-x7k2" })),
    evidence: /is an output file of create infra, expected a control-plane identities file/,
    // "pass the file that `aro-hcp create all` wrote"
    follow: (state) => otherFile(state, "managed-identities.json"),
  }),
  alone("a missing entry", {
    row: "file-entries/control plane",
    breaks: (state) => editFiles(state, ({ controlPlane }) => void delete controlPlane["disk"]),
    evidence: /no entry for disk \(HyperShift rejects a HostedCluster without it\)/,
    // "add disk"
    async follow(state) {
      const whole = JSON.parse(await readFile(join(state.files, "managed-identities.json"), "utf8")) as Files["controlPlane"];
      await editFiles(state, ({ controlPlane }) => void (controlPlane["disk"] = whole["disk"] ?? {}));
    },
  }),
  alone("a vault in another tenant", {
    row: "file-vault/vault",
    breaks: (state) => editFiles(state, (files) => void (vaultOf(files)["tenantID"] = "11111111-1111-4111-8111-111111111111")),
    evidence: /the tenant in the file is 1111\S*, but you are signed in to 7e7a/,
    follow: async (state, result) =>
      void (await editFiles(state, (files) => void (vaultOf(files)["tenantID"] = wordIn(result, "tenantID")))),
  }),
  alone(
    "invalid values",
    {
      row: "file-values/ingress",
      breaks: (state) => editFiles(state, ({ controlPlane: { ingress } }) => void (ingress!["clientID"] = "ingress")),
      evidence: /clientID is not a UUID/,
      async follow(state) {
        const clientId = await shownClientId(state, "ingress");
        await editFiles(state, ({ controlPlane: { ingress } }) => void (ingress!["clientID"] = clientId));
      },
    },
    {
      row: "file-data-plane/azure-disk-MI",
      breaks: (state) => editFiles(state, ({ dataPlane }) => void (dataPlane["diskMSIClientID"] = "disk")),
      evidence: /diskMSIClientID is not a UUID/,
      async follow(state, result) {
        const listed = (await run(state, commandsIn(result)[0] ?? "")) as { name: string; clientId: string }[];
        const clientId = listed.find(({ name }) => name === "azure-disk-MI-demo")?.clientId;
        await editFiles(state, ({ dataPlane }) => void (dataPlane["diskMSIClientID"] = clientId));
      },
    },
  ),
  alone(
    "swapped entries, and a client ID with a wrong digit",
    {
      row: "file-component/disk",
      breaks: (state) =>
        editFiles(
          state,
          ({ controlPlane }) => void ([controlPlane["disk"], controlPlane["file"]] = [controlPlane["file"]!, controlPlane["disk"]!]),
        ),
      evidence:
        /^.*identities\.json:\d+: clientID \S+ belongs to file, the correct value is \S+; .*json:\d+: secret demo-file belongs to file, the correct value is demo-disk; file has that value, so the two may be swapped$/,
      follow: (state, result) => putThere(state, "disk", result),
    },
    {
      row: "file-component/file",
      breaks: () => Promise.resolve(),
      evidence: /secret demo-disk belongs to disk, the correct value is demo-file; disk has that value, so the two may be swapped$/,
      follow: (state, result) => putThere(state, "file", result),
    },
    {
      row: "file-component/ingress",
      breaks: (state) =>
        editFiles(state, ({ controlPlane: { ingress } }) => void (ingress!["clientID"] = "00000000-dead-4000-8000-000000000000")),
      evidence: /json:\d+: clientID 00000000-dead-\S+ does not exist, the correct value is /,
      follow: (state, result) => putThere(state, "ingress", result),
    },
  ),
  alone(
    "swapped or missing managed identities, and a missing secret",
    {
      row: "secret-exists/cpo",
      breaks: (state) =>
        editFiles(state, ({ controlPlane }) => void (controlPlane["controlPlaneOperator"]!["credentialsSecretName"] = "demo-cppo")),
      evidence: /has no secret demo-cppo \(.*identities\.json:\d+\); the secret of cpo is demo-cpo$/,
      follow: everyLine,
    },
    {
      row: "file-component/azure-disk-MI",
      breaks: (state) =>
        editFiles(
          state,
          ({ dataPlane: plane }) =>
            void ([plane["diskMSIClientID"], plane["fileMSIClientID"]] = [plane["fileMSIClientID"], plane["diskMSIClientID"]]),
        ),
      evidence:
        /diskMSIClientID \S+ belongs to azure-file-MI \(azure-file-MI-demo\), the correct value is \S+; azure-file-MI has that value, so the two may be swapped$/,
      follow: everyLine,
    },
    {
      row: "file-component/azure-file-MI",
      breaks: () => Promise.resolve(),
      evidence: /fileMSIClientID \S+ belongs to azure-disk-MI/,
      // The previous advice rewrote the whole file.
      follow: () => Promise.resolve(),
    },
    {
      row: "file-component/image-registry-MI",
      breaks: (state) =>
        editFiles(state, ({ dataPlane }) => void (dataPlane["imageRegistryMSIClientID"] = "00000000-dead-4000-8000-000000000000")),
      evidence: /imageRegistryMSIClientID 00000000-dead-\S+ is not the client ID of a managed identity, the correct value is /,
      follow: () => Promise.resolve(),
    },
  ),
  alone(
    "a wrong encoding, and a certificate instead of its credential",
    {
      row: "credential-json/disk",
      breaks: (state) => editFiles(state, ({ controlPlane: { disk } }) => void (disk!["objectEncoding"] = "base64")),
      evidence: /^the value is JSON in utf-8, but objectEncoding in the file is base64$/,
      follow: async (state, result) =>
        void (await editFiles(state, ({ controlPlane: { disk } }) => void (disk!["objectEncoding"] = wordIn(result, "objectEncoding")))),
    },
    {
      row: "secret-plain/file",
      breaks: (state) => editFiles(state, ({ controlPlane: { file } }) => void (file!["credentialsSecretName"] = "demo-file-cert")),
      evidence: /belongs to the certificate of that name/,
      async follow(state, result) {
        const names = (await run(state, commandsIn(result)[0] ?? "")) as string[];
        const name = names.find((one) => one === "demo-file");
        await editFiles(state, ({ controlPlane: { file } }) => void (file!["credentialsSecretName"] = name));
      },
    },
  ),
];

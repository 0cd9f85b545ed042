/** Rows of the checks of identity files. They stand before everything: each is broken alone. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Result } from "../../src/verify/check.js";
import { run } from "./advice.js";
import { commandsIn, type HealthyWorld } from "./healthy-world.js";
import { editFiles, otherFile, type Files, type Row, type Wave } from "./identity-rows.js";

const setFlags = ["--name", "demo", "--resource-group-name", "demo-common"];

/** What the advice says to put somewhere, in quotes behind the name of the field. */
function wordIn({ next = "" }: Result, field: string): string {
  const [, word] = new RegExp(`${field} "([^"]+)"`).exec(next) ?? [];
  if (word === undefined) throw new Error(`"${next}" does not say what ${field} is to be`);
  return word;
}

/** The client id that `aro-hcp show identities` tells of a component of the control plane. */
async function shownClientId(world: HealthyWorld, component: string): Promise<string> {
  const shown = JSON.parse(await world.aroHcp(["show", "identities", ...setFlags, "--key-vault-name", world.vault, "-o", "json"])) as {
    controlPlane: { component: string; clientId: string }[];
  };
  return shown.controlPlane.find((one) => one.component === component)?.clientId ?? "";
}

const alone = (title: string, ...rows: readonly Row[]): Wave => ({ title, rows });
const vaultOf = ({ controlPlane }: Files) => controlPlane["managedIdentitiesKeyVault"] ?? {};

export const fileWaves: readonly Wave[] = [
  alone("another file in the place of an identity file", {
    row: "file-shape/control plane",
    breaks: (world) => editFiles(world, () => ({ infraID: "demo-x7k2" })),
    evidence: /is an output file of create infra, expected a control-plane identities file/,
    // "give the file that `aro-hcp create all` wrote"
    follow: (world) => otherFile(world, "managed-identities.json"),
  }),
  alone("an entry that is missing", {
    row: "file-entries/control plane",
    breaks: (world) => editFiles(world, ({ controlPlane }) => void delete controlPlane["disk"]),
    evidence: /no entry disk \(a HostedCluster without it is refused\)/,
    // "add disk"
    async follow(world) {
      const whole = JSON.parse(await readFile(join(world.files, "managed-identities.json"), "utf8")) as Files["controlPlane"];
      await editFiles(world, ({ controlPlane }) => void (controlPlane["disk"] = whole["disk"] ?? {}));
    },
  }),
  alone("a vault of another tenant", {
    row: "file-vault/vault",
    breaks: (world) => editFiles(world, (files) => void (vaultOf(files)["tenantID"] = "11111111-1111-4111-8111-111111111111")),
    evidence: /says tenant 1111.*tenant 7e7a.* is signed in to/,
    follow: async (world, result) =>
      void (await editFiles(world, (files) => void (vaultOf(files)["tenantID"] = wordIn(result, "tenantID")))),
  }),
  alone(
    "values that cannot be",
    {
      row: "file-values/ingress",
      breaks: (world) => editFiles(world, ({ controlPlane: { ingress } }) => void (ingress!["clientID"] = "ingress")),
      evidence: /clientID is not a UUID/,
      async follow(world) {
        const clientId = await shownClientId(world, "ingress");
        await editFiles(world, ({ controlPlane: { ingress } }) => void (ingress!["clientID"] = clientId));
      },
    },
    {
      row: "file-data-plane/azure-disk-MI",
      breaks: (world) => editFiles(world, ({ dataPlane }) => void (dataPlane["diskMSIClientID"] = "disk")),
      evidence: /diskMSIClientID is not a UUID/,
      async follow(world, result) {
        const listed = (await run(world, commandsIn(result)[0] ?? "")) as { name: string; clientId: string }[];
        const clientId = listed.find(({ name }) => name === "azure-disk-MI-demo")?.clientId;
        await editFiles(world, ({ dataPlane }) => void (dataPlane["diskMSIClientID"] = clientId));
      },
    },
  ),
  alone(
    "an encoding that is not the value's, a certificate in place of its credential",
    {
      row: "credential-json/disk",
      breaks: (world) => editFiles(world, ({ controlPlane: { disk } }) => void (disk!["objectEncoding"] = "base64")),
      evidence: /^the value is JSON in utf-8, and the file says base64$/,
      follow: async (world, result) =>
        void (await editFiles(world, ({ controlPlane: { disk } }) => void (disk!["objectEncoding"] = wordIn(result, "objectEncoding")))),
    },
    {
      row: "secret-plain/file",
      breaks: (world) => editFiles(world, ({ controlPlane: { file } }) => void (file!["credentialsSecretName"] = "demo-file-cert")),
      evidence: /belongs to the certificate of that name/,
      async follow(world, result) {
        const names = (await run(world, commandsIn(result)[0] ?? "")) as string[];
        const name = names.find((one) => one === "demo-file");
        await editFiles(world, ({ controlPlane: { file } }) => void (file!["credentialsSecretName"] = name));
      },
    },
  ),
];

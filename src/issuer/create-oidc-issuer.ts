/** `create oidc-issuer`: publishes the public keys where Entra reads them, and checks that they are readable. */
import { dirname, join } from "node:path";
import type { Azure } from "../azure/azure.js";
import { signedIn } from "../azure/signed-in.js";
import { advise, aroHcp } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { issuerFileNames, issuerFiles, writeIssuerFiles } from "./files/issuer-files.js";
import { publicKeyFile } from "./files/key-pair.js";
import { withDirectory, readText, readTextIfThere } from "../files/text-file.js";
import { checkOutputs } from "../files/write.js";
import { jwkOf, type Jwk } from "../oidc/signing-key.js";
import type { IssuerOutput } from "./steps/issuer-documents.js";
import { givenKeys, issuerGraph } from "./steps/oidc-issuer.js";
import { publicKeyIn } from "./signing-key-ids.js";
import type { Resolved } from "../settings/settings.js";
import { preflight } from "../run/create-preflight.js";
import { applyGraph } from "../run/apply.js";
import { isConfirmed } from "../run/consent.js";
import { issuerAccount, issuerGroupOf, issuerSpec } from "./inputs.js";
import type { RunContext } from "../run/run-context.js";
import { withLocation } from "../run/location.js";
import { targetOf } from "../run/target.js";
import { withConnection } from "../run/with-connection.js";
import { written } from "../run/written-files.js";
import type { ProcessPort } from "../run/process-port.js";
import type { IssuerSpec } from "../domain/issuer.js";
import { keysIn, keySetPath } from "../oidc/documents.js";

const command = "create oidc-issuer";

export async function run(given: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { identitiesName: name, outputDir, retireKey, oidcResourceGroupName } = given.settings;
  const keys = await readKeys(given.settings);
  const work = async (azure: Azure, context: RunContext) => {
    const resolved = await withLocation(command, given, azure, context, issuerGroupOf({ name, oidcResourceGroupName }));
    const settings = { ...resolved.settings, name };
    const spec = issuerSpec(settings, azure, await issuerAccount(settings, azure), {
      retiredKeys: retireKey,
      joinFlag: isConfirmed(settings, context) ? undefined : "--yes",
    });
    const ofDirectory = outputDir === undefined ? undefined : await publicKeyIn(outputDir);
    const owner = { url: spec.url, kids: [...keys, ...(ofDirectory ? [ofDirectory] : [])].map(({ kid }) => kid) };
    if (outputDir !== undefined) await checkOutputs(issuerFiles(outputDir, owner));
    const { steps, documents } = issuerGraph(azure, spec, givenKeys(keys), await signedIn(azure.connection), {
      keepsRoles: !settings.returnOwnRoles,
    });
    for (const notice of await unpublishedKeys(azure, spec)) context.say(`notice: ${notice}`);
    let created: IssuerOutput | undefined;
    const { code, done } = await applyGraph(azure, context, settings, {
      command,
      subject: name,
      about: { name },
      target: targetOf(azure, { location: settings.location, identitySet: name }),
      steps,
      preflight: preflight(azure, port, { parts: ["issuer"], location: settings.location, steps }),
      async onDone(step, output) {
        if (step !== documents) return;
        created = output as IssuerOutput;
        if (outputDir !== undefined) await writeIssuerFiles(outputDir, owner, created);
      },
      document: () => ({ issuerURL: spec.url, ...(created && { kids: created.kids }) }),
      written: written(outputDir, "issuer"),
    });
    if (settings.output === "text" && done) context.result.print(spec.url);
    return code;
  };
  const run = () => withConnection({ ...given.settings, command }, given.notices, port, work);
  return outputDir === undefined ? run() : withDirectory(outputDir, issuerFileNames, run);
}

interface KeySettings {
  readonly publicKeyFile: readonly string[];
  readonly retireKey: readonly string[];
  readonly outputDir: string | undefined;
}

/** The keys to publish, read and validated before any request to Azure. Retiring a key needs none. */
async function readKeys({ publicKeyFile: given, retireKey, outputDir }: KeySettings): Promise<Jwk[]> {
  const standard = retireKey.length === 0 ? [join(outputDir ?? ".", publicKeyFile)] : [];
  const paths = given.length === 0 ? standard : given;
  if (given.length === 0) await requireStandardKey(standard);
  const keys = await Promise.all(paths.map(async (path) => jwkOf((await readText(path)).text, path)));
  const both = keys.find(({ kid }) => retireKey.includes(kid));
  if (both) throw new Failure("ARO-USAGE-001", `the key ${both.kid} cannot be published and retired in the same run`);
  if (outputDir !== undefined && retireKey.length > 0) await refuseKeyInUse(outputDir, retireKey);
  return keys;
}

/** Nobody has named this file: the error names the flag instead. */
async function requireStandardKey(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    if ((await readTextIfThere(path)) !== undefined) continue;
    throw new Failure("ARO-USAGE-001", `--public-key-file is required: ${path} does not exist`, {
      next: [
        "pass --public-key-file with the public signing key of the cluster, in PEM",
        advise`or create a key pair: ${aroHcp("create key-pair", { outputDir: dirname(path) })}`,
      ],
    });
  }
}

/** It is easy to pass the wrong one of two IDs. `create all` publishes the key of the directory, so the next run would publish it again. */
async function refuseKeyInUse(directory: string, retireKey: readonly string[]): Promise<void> {
  const key = await publicKeyIn(directory);
  if (key === undefined || !retireKey.includes(key.kid)) return;
  throw new Failure("ARO-USAGE-001", `the key to retire is the current key in ${join(directory, publicKeyFile)}`, {
    because: "`create all` would publish it again, and tokens signed with it would be rejected until then",
    next: ["replace it with the next key first, or omit --output-dir"],
  });
}

/** A sentence for each key that an anonymous reader does not find. If nothing is readable yet, the steps report the problem. */
async function unpublishedKeys(azure: Azure, { url, retiredKeys }: IssuerSpec): Promise<string[]> {
  if (retiredKeys.length === 0) return [];
  const { status, body } = await azure.published(`${url}/${keySetPath}`);
  const published = status === 200 ? keysIn(body)?.map(({ kid }) => kid) : undefined;
  if (published === undefined) return [];
  return retiredKeys
    .filter((kid) => !published.includes(kid))
    .map((kid) => `the key ${kid} is not published at ${url}: there is nothing to retire`);
}

/** Rows of the checks of the issuer's documents. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { placePrivateKey, testKey } from "../../issuer/signing-keys.js";
import { firstLine } from "../../verify/advice.js";
import type { HealthyState } from "../../verify/healthy-state.js";
import { ofState } from "./identity-entra-rows.js";
import type { Row } from "./identity-rows.js";
import { demoAccount, demoIssuer } from "../../harness/demo-issuer.js";

const issuer = demoIssuer;
const otherKey = testKey();

/** Edits a blob of the issuer, as its owner. */
async function publish({ azure }: HealthyState, path: string, edit: (text: string) => string): Promise<void> {
  const blobs = await azure.blobs();
  const blob = await blobs.read(`${issuer}/${path}`);
  if (blob === undefined) throw new Error(`${path} does not exist`);
  await blobs.write(`${issuer}/${path}`, { ...blob, text: edit(blob.text) }, blob.etag);
}

export const issuerRows: readonly Row[] = [
  ofState(
    "issuer-discovery/issuer",
    "documents that are not public",
    /409 PublicAccessNotPermitted; sign-in fails with AADSTS50166/,
    ({ resources }) => {
      const account = Object.values(resources).find(({ type }) => type === "Microsoft.Storage/storageAccounts");
      if (account) account.properties["allowBlobPublicAccess"] = false;
    },
    firstLine,
  ),
  {
    row: "issuer-discovery/issuer",
    fault: "a deleted storage account",
    breaks: async ({ azure }) => (await azure.storage()).storageAccounts.delete("demo-oidc", demoAccount),
    evidence: /host demo1e0571\.blob\.core\.windows\.net does not exist: the issuer's storage account was deleted, or the address is wrong/,
    follow: firstLine,
  },
  {
    row: "issuer-discovery/issuer",
    fault: "a document with another issuer",
    breaks: (state) => publish(state, ".well-known/openid-configuration", (text) => text.replace(`"${issuer}"`, `"${issuer}/"`)),
    evidence: /the issuer in \S+ is "https:\/\/demo[^"]*\/", but tokens have the issuer/,
    follow: firstLine,
  },
  ofState(
    "issuer-account/issuer",
    "a storage account that accepts its keys",
    /storage account "demo1e0571" accepts its keys/,
    ({ resources }) => {
      const account = Object.values(resources).find(({ type }) => type === "Microsoft.Storage/storageAccounts");
      if (account) account.properties["allowSharedKeyAccess"] = true;
    },
    firstLine,
    { warning: true },
  ),
  {
    row: "issuer-keys/issuer",
    fault: "a key with another algorithm",
    breaks: (state) => publish(state, "openid/v1/jwks", (text) => text.replace("RS256", "RS512")),
    evidence: /is published with a different alg; sign-in fails with AADSTS50013/,
    follow: firstLine,
  },
  {
    row: "issuer-keys/issuer",
    fault: "a signing key that is not published",
    given: async (state) => {
      await placePrivateKey(join(state.files, "other"), otherKey);
      await writeFile(join(state.files, "other", "serviceaccount-signer.public"), otherKey.publicPem);
      return { signingKeyPath: join(state.files, "other", "serviceaccount-signer.private") };
    },
    evidence: new RegExp(`key ${otherKey.kid} of .* is not among the 1 key at`),
    follow: firstLine,
  },
];

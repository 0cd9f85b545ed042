/** Which file the credential chain of the SDK reads. test/cli/odd-files.test.ts passes odd files to commands. */
import { expect, test } from "vitest";
import { checkSignInFile } from "../../src/cli/inputs/sign-in-file.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const client = { AZURE_TENANT_ID: "tenant", AZURE_CLIENT_ID: "client" };
const token = { AZURE_FEDERATED_TOKEN_FILE: "@odd" };
const certificate = { AZURE_CLIENT_CERTIFICATE_PATH: "@odd" };
const chosen = (name: string) => ({ AZURE_TOKEN_CREDENTIALS: name });

test.each([
  ["the token, in the tenant of the credentials file", { AZURE_CLIENT_ID: "client", ...token }, "AZURE_FEDERATED_TOKEN_FILE"],
  ["the token, of production credentials", { ...client, ...token, ...chosen(" PROD ") }, "AZURE_FEDERATED_TOKEN_FILE"],
  ["the token, despite a secret that is not chosen", secretAnd(chosen("WorkloadIdentityCredential")), "AZURE_FEDERATED_TOKEN_FILE"],
  ["the certificate, before the token", { ...client, ...token, ...certificate }, "AZURE_CLIENT_CERTIFICATE_PATH"],
  ["the certificate, before a password", { ...client, ...certificate, ...password() }, "AZURE_CLIENT_CERTIFICATE_PATH"],
  ["none with a secret", { ...secretAnd({}), ...certificate }, undefined],
  ["none with a password", { ...client, ...token, ...password() }, undefined],
  ["none without a client", { AZURE_TENANT_ID: "tenant", ...token, ...certificate }, undefined],
  ["no certificate without the tenant's variable", { AZURE_CLIENT_ID: "client", ...certificate }, undefined],
  ["none of a developer's credentials", { ...client, ...token, ...certificate, ...chosen("dev") }, undefined],
  ["no token of the environment credential", { ...client, ...token, ...chosen("EnvironmentCredential") }, undefined],
])("%s", async (_title, variables: Readonly<Record<string, string>>, read) => {
  const odd = temporaryDirectory().path;
  const environment = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value.replace("@odd", odd)]));
  const checked = checkSignInFile("tenant", environment);
  await (read === undefined
    ? expect(checked).resolves.toBeUndefined()
    : expect(checked).rejects.toMatchObject({ code: "ARO-FILE-002", message: `${read}: ${odd} is a directory` }));
});

test("no file without a tenant", async () => {
  await expect(checkSignInFile(undefined, { ...token, AZURE_CLIENT_ID: "client" })).resolves.toBeUndefined();
});

test("a missing file is left to the SDK", async () => {
  await expect(checkSignInFile("tenant", { ...client, AZURE_FEDERATED_TOKEN_FILE: "/nonexistent/token" })).resolves.toBeUndefined();
});

function secretAnd(variables: Readonly<Record<string, string>>) {
  return { ...client, AZURE_CLIENT_SECRET: "secret", ...token, ...variables };
}

function password() {
  return { AZURE_USERNAME: "user", AZURE_PASSWORD: "password" };
}

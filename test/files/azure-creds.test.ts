import { afterAll, expect, test } from "vitest";
import { Failure } from "../../src/errors/failure.js";
import { failureJson } from "../../src/errors/format.js";
import { readAzureCreds } from "../../src/files/azure-creds.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";
import { plainAdvice } from "../harness/plain-advice.js";

const directory = temporaryDirectory(afterAll);
const ids = {
  subscriptionId: "11111111-1111-1111-1111-111111111111",
  tenantId: "22222222-2222-2222-2222-222222222222",
  clientId: "33333333-3333-3333-3333-333333333333",
};
const whole = { ...ids, clientSecret: "hunter2~" };

test("hypershift's file is read as JSON and as YAML", async () => {
  const yaml = Object.entries(whole)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join("");
  for (const text of [JSON.stringify(whole), yaml]) {
    expect(await readAzureCreds(directory.write("creds", text))).toEqual({
      subscriptionId: ids.subscriptionId,
      tenantId: ids.tenantId,
      servicePrincipal: { clientId: ids.clientId, clientSecret: "hunter2~" },
      notices: [],
    });
  }
});

test("the sdk-auth file of the az CLI is read, and its endpoints are ignored", async () => {
  const sdkAuth = {
    ...whole,
    activeDirectoryEndpointUrl: "https://login.microsoftonline.com",
    resourceManagerEndpointUrl: "https://management.azure.com/",
  };
  expect((await readAzureCreds(directory.write("creds", JSON.stringify(sdkAuth)))).servicePrincipal?.clientId).toBe(ids.clientId);
});

test("without client ID and secret, the SDK's default chain signs in", async () => {
  const { subscriptionId, tenantId } = ids;
  expect(await readAzureCreds(directory.write("creds", JSON.stringify({ subscriptionId, tenantId })))).toMatchObject({
    servicePrincipal: undefined,
  });
});

test("every missing or malformed value is reported with its line, and the secret is never quoted", async () => {
  const file = directory.write(
    "creds",
    'subscriptionId: nonsense\nclientId: 33333333-3333-3333-3333-333333333333\nclientSecret: "hunter2~"\n',
  );
  const failure = await failureOf(file);
  expect(failure.problems).toEqual([
    { origin: `${file}:1`, message: "subscriptionId: expected a UUID" },
    { origin: `${file}:1`, message: expect.stringContaining("tenantId") as string },
  ]);
  expect(JSON.stringify(failureJson(failure, plainAdvice))).not.toContain("hunter2");
});

test("a client ID without its secret is rejected, and so is an empty or unquoted numeric secret", async () => {
  for (const text of [
    JSON.stringify(ids),
    JSON.stringify({ ...ids, clientSecret: "" }),
    JSON.stringify({ ...ids, clientSecret: 1234567 }),
  ]) {
    const failure = await failureOf(directory.write("creds", text));
    expect(failure.code).toBe("ARO-FILE-003");
    expect(failure.problems.map(({ message }) => message)).toEqual([expect.stringContaining("clientSecret")]);
    expect(JSON.stringify(failureJson(failure, plainAdvice))).not.toContain("1234567");
  }
});

test("a secret that other users can read causes a notice", async () => {
  const file = directory.write("open", JSON.stringify(whole), 0o644);
  expect((await readAzureCreds(file)).notices).toEqual([
    `${file} contains a secret, and other users can read it (mode 0644); run: chmod 600 ${file}`,
  ]);
});

async function failureOf(file: string): Promise<Failure> {
  const reason: unknown = await readAzureCreds(file).catch((error: unknown) => error);
  if (!(reason instanceof Failure)) throw new Error("it was accepted");
  return reason;
}

/** One seed of the random values gives the same request IDs and secrets. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { seededRandom } from "../harness/seeded-random.js";
import { openLocalServer } from "./local-server.js";

async function valuesWith(seed: number) {
  const server = await openLocalServer({ random: seededRandom(seed) });
  const post = { method: "POST", token: await server.token("https://graph.microsoft.com") };
  const made = await server.call("graph.microsoft.com", "/v1.0/applications", { ...post, body: { displayName: "demo" } });
  const { id } = made.body as { id: string };
  const added = await server.call("graph.microsoft.com", `/v1.0/applications/${id}/addPassword`, { ...post, body: {} });
  const listed = await server.call("management.azure.com", "/subscriptions?api-version=2022-12-01", { token: await server.token() });
  return {
    credentials: readFileSync(server.credentialsFile, "utf8"),
    secret: (added.body as { secretText: string }).secretText,
    requestId: listed.headers["x-ms-request-id"],
  };
}

test("one seed gives the same credentials, secrets and request IDs, another seed gives others", async () => {
  const first = await valuesWith(1);
  expect(first.secret).toMatch(/^[\w-]{40}$/);
  expect(await valuesWith(1)).toEqual(first);
  const other = await valuesWith(2);
  expect(other.credentials).not.toBe(first.credentials);
  expect(other.secret).not.toBe(first.secret);
  expect(other.requestId).not.toBe(first.requestId);
});

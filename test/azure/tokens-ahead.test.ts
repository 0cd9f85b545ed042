/** Tokens that are fetched ahead: those that the first requests need, and no failure of their own. */
import { expect, test, vi } from "vitest";
import { systemClock } from "../../src/azure/clock.js";
import { clouds } from "../../src/azure/cloud.js";
import { earlyRequests } from "../../src/azure/early-requests.js";
import { shareTokens, type SharedCredential } from "../../src/azure/shared-credential.js";
import { fetchTokensAhead } from "../../src/azure/tokens-ahead.js";
import { client, opened } from "./hostile-clients.js";

test("the first requests to the directory and to a vault use the tokens that were fetched ahead", async () => {
  const { azure, vault, requests } = await opened([]);
  const signIns = () => requests().filter(({ url }) => url.startsWith("https://login.microsoftonline.com/"));
  fetchTokensAhead(azure.connection);
  await vi.waitFor(() => expect(signIns()).toHaveLength(2));
  for (const name of ["a list of the directory", "a list of a vault"] as const) await client(name).read(azure, vault);
  await azure.connection.early.end();
  expect(signIns()).toHaveLength(2);
});

test("a fetch ahead that its command did not wait for is no failed sign-in", async () => {
  const { azure, vault } = await opened([]);
  fetchTokensAhead(azure.connection);
  await azure.connection.early.end();
  await expect(client("a list of the directory").read(azure, vault)).resolves.toBeDefined();
});

/** Fetches both tokens with this credential. */
async function fetched(getToken: SharedCredential["getToken"], tenantId = "t"): Promise<void> {
  const early = earlyRequests();
  const credential = { getToken, forget: () => undefined };
  fetchTokensAhead({ credential, cloud: clouds.AzurePublicCloud, tenantId, early });
  await early.end();
}

test("without a known tenant, no token of a vault is fetched: the vault names the tenant", async () => {
  const getToken = vi.fn<SharedCredential["getToken"]>(() => Promise.resolve(null));
  await fetched(getToken, "");
  expect(getToken.mock.calls.map(([scope]) => scope)).toEqual(["https://graph.microsoft.com/.default"]);
});

test("a command that ends earlier does not wait for a sign-in without a response", async () => {
  const silent = { getToken: () => new Promise<never>(() => undefined) };
  const { getToken } = shareTokens(() => silent, { clock: systemClock, signal: new AbortController().signal });
  await expect(fetched(getToken)).resolves.toBeUndefined();
});

test.each<[string, SharedCredential["getToken"]]>([
  ["fails", () => Promise.reject(new Error("refused"))],
  [
    "throws at once",
    () => {
      throw new Error("no az");
    },
  ],
])("a sign-in that %s ends nothing", async (_title, getToken) => {
  // An unhandled rejection would fail this test.
  await expect(fetched(getToken)).resolves.toBeUndefined();
});

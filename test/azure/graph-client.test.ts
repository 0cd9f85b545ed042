/** What the Graph client makes of validated responses: bodies of any content type, none at all, and redirects. */
import { createHttpHeaders, RestError } from "@azure/core-rest-pipeline";
import { expect, test } from "vitest";
import { graphClient } from "../../src/azure/graph-client.js";

const application = { id: "x" };

function answering(status: number, body = "", type?: string) {
  return graphClient("https://graph.microsoft.com", (request) =>
    Promise.resolve({ request, status, bodyAsText: body, headers: createHttpHeaders(type === undefined ? {} : { "content-type": type }) }),
  );
}

test.each([undefined, "application/json", "Application/JSON", "text/json", "text/plain"])(
  "an object with the content type %s is read",
  async (type) => {
    const ask = answering(200, JSON.stringify(application), type);
    expect(await ask((client) => client.api("/applications/x").get())).toEqual(application);
  },
);

test.each([
  [202, "", undefined],
  [202, "", "application/json"],
  [202, "accepted", "text/plain"],
  [204, "", undefined],
])("a change with status %i and the body %j succeeds", async (status, body, type) => {
  const ask = answering(status, body, type);
  expect(await ask((client) => client.api("/applications/x").delete())).toBeUndefined();
});

test.each([302, 308, 404])("status %i is no success", async (status) => {
  const ask = answering(status);
  await expect(ask((client) => client.api("/applications/x").get())).rejects.toBeInstanceOf(RestError);
  await expect(ask((client) => client.api("/applications/x").patch({}))).rejects.toMatchObject({ statusCode: status });
  await expect(ask((client) => client.api("/applications/x").delete())).rejects.toMatchObject({ statusCode: status });
});

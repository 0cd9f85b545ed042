/** A managed HSM whose hostname does not resolve, and one that has responded before. */
import { Agent } from "node:https";
import { createPipelineRequest, RestError } from "@azure/core-rest-pipeline";
import { expect, test } from "vitest";
import { existingHsmPolicy } from "../../src/azure/managed-hsm.js";

const host = "demo-hms.managedhsm.azure.net";

const failing = (code: string, { hosts = [], agent }: { readonly hosts?: readonly string[]; readonly agent?: Agent } = {}) =>
  existingHsmPolicy("demo-hms", { contact: { isMade: true, hosts: new Set(hosts) } }).sendRequest(
    Object.assign(createPipelineRequest({ url: `https://${host}/keys/etcd` }), agent && { agent }),
    () => Promise.reject(new RestError("lost", { code })),
  );

test("a hostname that does not resolve is a managed HSM that does not exist", async () => {
  await expect(failing("ENOTFOUND")).rejects.toMatchObject({
    code: "ARO-OWN-003",
    message: 'managed HSM "demo-hms" does not exist',
    because: `the hostname ${host} does not resolve`,
  });
});

test("a proxy whose hostname does not resolve is left to the retries", async () => {
  const agent = Object.assign(new Agent(), { proxy: new URL("http://no-such-proxy.example:3128") });
  await expect(failing("ENOTFOUND", { agent })).rejects.toMatchObject({ name: "RestError", code: "ENOTFOUND" });
});

test.each([
  ["DNS without an answer", "EAI_AGAIN", []],
  ["a lost connection", "ECONNRESET", []],
  ["a name that has resolved before", "ENOTFOUND", [host]],
])("%s is left to the retries", async (_what, code, hosts) => {
  await expect(failing(code, { hosts })).rejects.toMatchObject({ name: "RestError", code });
});

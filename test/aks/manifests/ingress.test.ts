/** The manifests of an ingress: read back by another library, and the texts that name a Service. */
import { CORE_SCHEMA, loadAll, YAML11_SCHEMA } from "js-yaml";
import { describe, expect, test } from "vitest";
import type { IngressFacts } from "../../../src/aks/manifests/ingress-facts.js";
import { parseBackend } from "../../../src/aks/manifests/ingress-gateways.js";
import { ingressManifests } from "../../../src/aks/manifests/ingress.js";
import { manifestsText } from "../../../src/manifests/text.js";

const facts: IngressFacts = {
  address: { name: "123", group: "1e3" },
  opsAddress: { name: "on", group: "2024-01-01" },
  routes: [{ hostname: "rp.example.com", backend: { name: "frontend", namespace: "no", port: 8443 } }],
  opsRoutes: [{ hostname: "*.ops.example.com", backend: { name: "admin", namespace: "404", port: 443 } }],
  certificate: {
    vaultName: "off",
    name: "0x1f",
    tenantId: "7e7a0000-0000-4000-8000-000000000001",
    readerClientId: "1f0e0000-0000-4000-8000-00000000000a",
  },
};

test.each([
  ["1.2", CORE_SCHEMA],
  ["1.1", YAML11_SCHEMA],
] as const)("YAML %s has every text as a text", (_version, schema) => {
  const manifests = ingressManifests(facts);
  expect(loadAll(manifestsText(manifests, "yaml"), { schema })).toEqual(JSON.parse(JSON.stringify(manifests)));
});

test("each manifest has a name of its own, which Kubernetes accepts", () => {
  const names = ingressManifests(facts).map(({ kind, metadata: { name, namespace } }) => `${kind} ${namespace}/${name}`);
  expect(new Set(names).size).toBe(names.length);
  for (const { metadata } of ingressManifests(facts)) expect(metadata.name).toMatch(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/);
});

describe("a backend", () => {
  test("is a Service, its namespace and a port", () => {
    expect(parseBackend("aro-hcp-frontend.aro-hcp:8443")).toEqual({ name: "aro-hcp-frontend", namespace: "aro-hcp", port: 8443 });
  });

  test.each([
    "",
    "frontend",
    "frontend:8443",
    "frontend.ns",
    "frontend.ns:0",
    "frontend.ns:65536",
    "Frontend.ns:1",
    "a.b.c:1",
    "-a.b:1",
    "a.b:1 ",
  ])("%j is none", (text) => {
    expect(parseBackend(text)).toBeUndefined();
  });
});

/** Manifests as text, read back by another library than wrote them: by the rules of YAML 1.2, and of 1.1, which kubectl's reader follows. */
import fc from "fast-check";
import { CORE_SCHEMA, loadAll, YAML11_SCHEMA } from "js-yaml";
import { describe, expect, test } from "vitest";
import { secretProviderClasses } from "../../src/identities/manifests/secret-provider-class.js";
import { manifestsText } from "../../src/manifests/text.js";
import { controlPlaneSchema } from "../../src/files/identity-schemas.js";
import { controlPlane as written } from "../identities/cli/identities.js";

const readers = [
  ["1.2", CORE_SCHEMA],
  ["1.1", YAML11_SCHEMA],
] as const;
const controlPlane = controlPlaneSchema.parse(written);

describe.each(readers)("YAML %s", (_version, schema) => {
  const read = (manifests: readonly object[]) => loadAll(manifestsText(manifests, "yaml"), { schema });

  test("reads texts as texts, whatever they look like", () => {
    const looks = [
      "yes",
      "off",
      "y",
      "N",
      "true",
      "null",
      "~",
      "123",
      "1e3",
      "0x1f",
      "0o14",
      "014",
      "0b1",
      "1_000",
      "2024-01-01",
      "1:20",
      ".5",
      "-",
      "",
    ];
    const manifest = Object.fromEntries(looks.map((text, index) => [`k${index}`, text]));
    expect(read([manifest, { list: looks }])).toEqual([manifest, { list: looks }]);
  });

  test("reads back what the log of a CI system would obey, which the text does not contain", () => {
    const manifest = { one: "##vso[a]b", two: "x\n::error::y\n##[group]z", "##teamcity[k]": ["section_start:1:a"] };
    expect(read([manifest])).toEqual([manifest]);
    expect(manifestsText([manifest], "yaml")).not.toMatch(/##[a-z]*\[|^\s*::|section_start:\d/mu);
  });

  test("reads any secret's name back, in any class", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-Z0-9-]{1,127}$/), fc.stringMatching(/^[a-z][a-z0-9]{2,23}$/), (secret, vault) => {
        const classes = secretProviderClasses({
          cluster: { namespace: "clusters", name: "demo" },
          controlPlane: {
            ...controlPlane,
            managedIdentitiesKeyVault: { ...controlPlane.managedIdentitiesKeyVault, name: vault },
            disk: { ...controlPlane.disk, credentialsSecretName: secret },
          },
          kms: undefined,
          disabledCapabilities: [],
          readerClientId: "12340000-0000-4000-8000-00000000000e",
        });
        expect(read(classes)).toEqual(classes);
        const { objects } = classes.find(({ metadata }) => metadata.name === "managed-azure-disk-csi")?.spec.parameters ?? {};
        expect(objects).toBe(`\narray:\n  - |\n    objectName: ${secret}\n    objectEncoding: utf-8\n    objectType: secret\n`);
      }),
    );
  });
});

test("JSON is the manifest itself, or a List of several", () => {
  const [one, two] = [{ kind: "A" }, { kind: "B" }];
  expect(JSON.parse(manifestsText([one], "json"))).toEqual(one);
  expect(JSON.parse(manifestsText([one, two], "json"))).toEqual({ apiVersion: "v1", kind: "List", items: [one, two] });
});

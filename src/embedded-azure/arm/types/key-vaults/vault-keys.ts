/** Keys of a vault as ARM sees them: seen and made, once. What they do is of the data plane, and not emulated. */
import { z } from "zod";
import { known, oneOf } from "../body-schema.js";
import { keyOf, parentOf } from "../../resource-id.js";
import { defineType } from "../../resource-type.js";
import { deprecation, vaultVersions } from "./vault-versions.js";

const keyBody = known(
  {
    properties: z.strictObject({
      kty: oneOf("EC", "EC-HSM", "RSA", "RSA-HSM"),
      keySize: z.int().optional(),
      keyOps: z.array(z.string()).optional(),
      attributes: z.strictObject({ enabled: z.boolean().optional() }).optional(),
    }),
  },
  ["id", "name", "type"],
);

export const vaultKeys = defineType<z.output<typeof keyBody>>({
  name: "Microsoft.KeyVault/vaults/keys",
  apiVersions: vaultVersions,
  verbs: ["read", "write"],
  kind: "proxy",
  headers: deprecation,
  createdStatus: 200,
  namePattern: /^[a-zA-Z0-9-]{1,127}$/,
  nameRule: "It must have 1 to 127 letters, digits and hyphens.",
  body: keyBody,
  latency: { put: "keyVault.update", delete: "keyVault.update" },
  // "If it already exists, then the existing key is returned without any write operations being performed."
  store: ({ body, existing }) => existing?.properties ?? { keySize: 2048, attributes: { enabled: true }, ...body.properties },
  present(world, { id, name, properties }) {
    const uri = world.resources[keyOf(parentOf(id) ?? "")]?.properties["vaultUri"];
    return { ...properties, keyUri: `${String(uri)}keys/${name}` };
  },
});

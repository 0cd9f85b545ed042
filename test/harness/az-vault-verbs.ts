/** The `az keyvault` commands. */
import { readFile } from "node:fs/promises";
import type { Azure } from "../../src/azure/azure.js";
import { keyVault, named, onlyQuery, type One, type Verb } from "./az-verb.js";
import { azureRest, type Properties } from "./azure-rest.js";
import { changeResource } from "./state-changes.js";

export const azVaultVerbs: Readonly<Record<string, Verb>> = {
  "keyvault recover": {
    usage: "--name",
    async run({ azure }, one) {
      const deleted = await named(azure, "Microsoft.KeyVault/deletedVaults", keyVault, one("name"));
      const { vaultId = "", location } = deleted.properties as { vaultId?: string; location?: string };
      const properties = { tenantId: azure.connection.tenantId, sku: { family: "A", name: "standard" }, createMode: "recover" };
      await azureRest(azure).arm("PUT", vaultId, keyVault, { location, properties });
    },
  },
  "keyvault update": {
    usage: "--name [--enable-rbac-authorization] [--enable-purge-protection] [--public-network-access] [--default-action]",
    run: ({ azure }, one) =>
      changeVault(azure, one("name"), ({ networkAcls }) => ({
        ...(one("enable-rbac-authorization") && { enableRbacAuthorization: one("enable-rbac-authorization") === "true" }),
        ...(one("enable-purge-protection") && { enablePurgeProtection: one("enable-purge-protection") === "true" }),
        ...(one("public-network-access") && { publicNetworkAccess: one("public-network-access") }),
        ...(one("default-action") && { networkAcls: { ...(networkAcls as object), defaultAction: one("default-action") } }),
      })),
  },
  "keyvault network-rule add": {
    usage: "--name [--ip-address] [--subnet]",
    run: ({ azure }, one) =>
      changeVault(azure, one("name"), ({ networkAcls }) => {
        const {
          ipRules = [],
          virtualNetworkRules = [],
          ...rest
        } = (networkAcls ?? {}) as { ipRules?: object[]; virtualNetworkRules?: object[] };
        return {
          networkAcls: {
            ...rest,
            ipRules: one("ip-address") ? [...ipRules, { value: one("ip-address") }] : ipRules,
            virtualNetworkRules: one("subnet") ? [...virtualNetworkRules, { id: one("subnet") }] : virtualNetworkRules,
          },
        };
      }),
  },
  "keyvault secret recover": {
    usage: "--vault-name --name",
    run: async ({ azure }, one) => (await (await secretsOf(azure, one)).beginRecoverDeletedSecret(one("name"))).pollUntilDone(),
  },
  "keyvault secret set-attributes": {
    usage: "--vault-name --name --enabled",
    run: async ({ azure }, one) =>
      (await secretsOf(azure, one)).updateSecretProperties(one("name"), "", { enabled: one("enabled") === "true" }),
  },
  "keyvault secret list": {
    usage: "--vault-name [--query]",
    async run({ azure }, one) {
      onlyQuery(one, "[?!managed].name");
      const names: string[] = [];
      for await (const secret of (await secretsOf(azure, one)).listPropertiesOfSecrets())
        if (secret.managed !== true) names.push(secret.name);
      return names;
    },
  },
  "keyvault secret set": {
    usage: "--vault-name --name --file",
    run: async ({ azure }, one) => (await secretsOf(azure, one)).setSecret(one("name"), await readFile(one("file"), "utf8")),
  },
  // The emulator has no data plane for keys, so these three commands change its state.
  "keyvault key create": {
    usage: "--vault-name --name --kty",
    async run({ azure }, one) {
      const { id } = await named(azure, "Microsoft.KeyVault/vaults", keyVault, one("vault-name"));
      await azureRest(azure).arm("PUT", `${id}/keys/${one("name")}`, keyVault, { properties: { kty: one("kty") } });
    },
  },
  "keyvault key show": {
    usage: "[--vault-name] [--hsm-name] --name [--query]",
    async run({ azure }, one) {
      onlyQuery(one, "key.kid");
      const { id } = await named(azure, "Microsoft.KeyVault/vaults", keyVault, one("vault-name"));
      const { properties } = await azureRest(azure).arm("GET", `${id}/keys/${one("name")}`, keyVault);
      return (properties as Properties)["keyUriWithVersion"];
    },
  },
  "keyvault key set-attributes": {
    usage: "[--vault-name] [--hsm-name] --name --version [--enabled] [--not-before] [--expires] [--ops*]",
    async run({ azure, directory }, one, { ops }) {
      const { id } = await named(azure, "Microsoft.KeyVault/vaults", keyVault, one("vault-name"));
      await changeResource({ directory }, `${id}/keys/${one("name")}/versions/${one("version")}`, ({ properties }) => {
        properties["attributes"] = {
          ...(properties["attributes"] as object),
          ...(one("enabled") && { enabled: one("enabled") === "true" }),
          ...(one("not-before") && { nbf: Date.parse(one("not-before")) / 1000 }),
          ...(one("expires") && { exp: Date.parse(one("expires")) / 1000 }),
        };
        if (ops) properties["keyOps"] = ops;
      });
    },
  },
};

async function changeVault(azure: Azure, name: string, change: (properties: Properties) => Properties): Promise<void> {
  const { id, properties } = await named(azure, "Microsoft.KeyVault/vaults", keyVault, name);
  await azureRest(azure).arm("PATCH", id, keyVault, { properties: change(properties) });
}

async function secretsOf(azure: Azure, one: One) {
  return (await azure.vaultContent(one("vault-name"))).secrets;
}

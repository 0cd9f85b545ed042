/** The Azure CLI commands in advice that no test runs: their flags. See https://learn.microsoft.com/cli/azure/reference-index. */
import type { Verb } from "./az-verb.js";

const usages = {
  "account list-locations": "[--query]",
  "account show": "[--query] [--output]",
  "ad app permission add": "--id --api --api-permissions*",
  "ad app permission admin-consent": "--id",
  "aks get-credentials": "--resource-group --name [--file]",
  "aks get-versions": "--location",
  "aks nodepool start": "--resource-group --cluster-name --name",
  "feature register": "--namespace --name",
  "k8s-extension delete": "--cluster-type --cluster-name --resource-group --name [--force!]",
  "keyvault certificate delete": "--name --vault-name",
  "keyvault certificate purge": "--name --vault-name",
  "keyvault key recover": "--name [--vault-name] [--hsm-name]",
  "keyvault list": "[--resource-type] [--query]",
  "keyvault purge": "--name",
  "keyvault role assignment create": "--hsm-name --role --assignee-object-id --scope",
  "keyvault secret purge": "--name --vault-name",
  login: "[--tenant]",
  "network dns record-set a delete": "--resource-group --zone-name --name [--yes!]",
  "network nsg rule create":
    "--resource-group --nsg-name --name --priority --source-address-prefixes* --destination-address-prefixes* --destination-port-ranges* --protocol",
  "network nsg rule update": "--resource-group --nsg-name --name [--priority]",
  "network public-ip delete": "--ids*",
  "network route-table route create": "--resource-group --route-table-name --name --address-prefix --next-hop-type --next-hop-ip-address",
  "network route-table route update": "--resource-group --route-table-name --name --address-prefix --next-hop-type --next-hop-ip-address",
  "policy assignment list": "[--disable-scope-strict-match!]",
  "policy exemption create": "--name --exemption-category --policy-assignment [--scope]",
  "provider list": "[--query]",
  "provider register": "--namespace",
  "quota create": "--resource-name --scope --limit-object*",
  "vm list-skus": "--location [--resource-type]",
  "resource list": "[--query]",
  "role definition delete": "--name [--scope]",
  "role assignment list": "[--all!] [--assignee] [--scope]",
};

export const azPrintedVerbs: Readonly<Record<string, Verb>> = Object.fromEntries(
  Object.entries(usages).map(([name, usage]) => [name, { usage, run: () => Promise.reject(new Error(`no test runs az ${name}`)) }]),
);

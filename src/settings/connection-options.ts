/** The options that say where a command works, and on what name. */
import { azureClouds } from "../domain/clouds.js";
import type { Option } from "./option.js";

export const connectionOptions = {
  name: {
    key: "name",
    flag: "--name",
    short: "-n",
    kind: "text",
    group: "required",
    help: "name of the cluster",
  },
  infraId: {
    key: "infraId",
    flag: "--infra-id",
    kind: "text",
    group: "required",
    help: "infra ID: a short unique ID that is part of most resource names",
  },
  baseDomain: {
    key: "baseDomain",
    flag: "--base-domain",
    kind: "text",
    group: "required",
    help: "base DNS domain of the cluster; its public zone must exist",
  },
  azureCreds: {
    key: "azureCreds",
    flag: "--azure-creds",
    kind: "file",
    isInput: true,
    group: "placement",
    help: "credentials file (subscriptionId, tenantId, clientId, clientSecret); without it, the SDK's default credential chain signs in",
  },
  subscription: {
    key: "subscription",
    flag: "--subscription",
    otherVariable: "AZURE_SUBSCRIPTION_ID",
    kind: "text",
    group: "placement",
    help: "subscription ID, if the credentials file has none",
  },
  cloud: {
    key: "cloud",
    flag: "--cloud",
    kind: "choice",
    choices: [...azureClouds, "local"],
    default: "AzurePublicCloud",
    group: "placement",
    help: "Azure cloud; local is the built-in emulator",
  },
  location: {
    key: "location",
    flag: "--location",
    short: "-l",
    aliases: ["--region"],
    kind: "text",
    default: "eastus",
    group: "placement",
    help: "Azure location of all created resources",
  },
  unusedLocation: {
    key: "location",
    flag: "--location",
    short: "-l",
    aliases: ["--region"],
    kind: "text",
    group: "placement",
    rare: true,
    help: "not needed: resources are found in any location",
  },
} as const satisfies Readonly<Record<string, Option>>;

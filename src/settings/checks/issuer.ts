/** The names of an issuer: those that are given, and those that follow from the set's name. */
import { nameProblem } from "../../domain/name-rules.js";
import { issuerNames } from "../../domain/issuer.js";
import { takes } from "../commands.js";
import type { Check } from "./check.js";

export const checkIssuerNames: Check = ({ command, values, given, problem }) => {
  const { name, oidcResourceGroupName, storageAccountName, blobContainerName, retireKey } = values;
  if (!takes(command, "oidcResourceGroupName") || name === undefined) return;
  const names = issuerNames(name, { oidcResourceGroupName, storageAccountName, blobContainerName });
  const tell = (key: "storageAccountName" | "blobContainerName", wrong: string | undefined) => {
    if (wrong !== undefined) problem(key, given(key) ? wrong : `is needed: made from --name, the ${wrong}`);
  };
  tell("storageAccountName", nameProblem("storageAccount", names.account));
  tell("blobContainerName", nameProblem("blobContainer", names.container));
  const group = given("oidcResourceGroupName") ? undefined : nameProblem("resourceGroup", names.group);
  if (group !== undefined) problem("name", group);
  const odd = retireKey?.find((kid) => !/^[\w-]+$/.test(kid));
  if (odd !== undefined) problem("retireKey", `"${odd}" is not the id of a key: base64url, as in the key set`);
};

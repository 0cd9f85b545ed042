/** Azure's limits on tags: https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources#limitations. */
import { infraIdTag, nameTag } from "../../infra/ownership.js";
import type { Check } from "./check.js";

const ours = [nameTag, infraIdTag];
/** A resource holds 50 tags, and ours are among them. */
const maxTags = 50 - ours.length;
const maxKey = 512;
const maxValue = 256;
const reservedPrefixes = ["microsoft", "azure", "windows"];
const forbidden = /[<>%&\\?/\u0000-\u001f\u007f]/;

export const checkTags: Check = ({ values, problem }) => {
  const tags = Object.entries(values.resourceGroupTags ?? {});
  if (tags.length > maxTags) problem("resourceGroupTags", `${tags.length} tags are given, Azure takes 50 and ${ours.length} are ours`);
  for (const [key, value] of tags) {
    const wrong =
      keyProblem(key) ?? (value.length > maxValue ? `has a value of ${value.length} characters, Azure takes ${maxValue}` : undefined);
    if (wrong !== undefined) problem("resourceGroupTags", `tag "${key.slice(0, 40)}" ${wrong}`);
  }
};

function keyProblem(key: string): string | undefined {
  const lower = key.toLowerCase();
  if (key === "") return "has no name";
  if (key.length > maxKey) return `has a name of ${key.length} characters, Azure takes ${maxKey}`;
  if (forbidden.test(key)) return "has a character that Azure does not take: < > % & \\ ? / or a control character";
  const prefix = reservedPrefixes.find((reserved) => lower.startsWith(reserved));
  if (prefix !== undefined) return `begins with "${prefix}", which Azure keeps to itself`;
  return ours.includes(lower) ? "is one of ours, by which ownership is proved" : undefined;
}

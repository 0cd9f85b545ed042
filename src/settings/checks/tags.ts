/** Azure's limits on tags: https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources#limitations. */
import { optionsTag } from "../../domain/option-tags.js";
import { identitySetTag, infraIdTag, nameTag } from "../../domain/ownership.js";
import type { Check } from "./check.js";

const ours = [nameTag, infraIdTag, identitySetTag];
/** A resource holds 50 tags, and ours are among them: a cluster's two, or a set's one. */
const oursAtMost = 2;
const maxTags = 50 - oursAtMost;
const maxKey = 512;
const maxValue = 256;
const reservedPrefixes = ["microsoft", "azure", "windows"];
/** Azure would take them; an object that they are set on, here or in another reader of our files, does not hold them as what they are. */
const unsafe = ["__proto__", "constructor", "prototype"];
const forbidden = /[<>%&\\?/\u0000-\u001f\u007f]/;

export const checkTags: Check = ({ values, problem }) => {
  for (const setting of ["resourceGroupTags", "userTags"] as const) {
    const tags = Object.entries(values[setting] ?? {});
    if (tags.length > maxTags) problem(setting, `${tags.length} tags are given, Azure takes 50 and ${oursAtMost} are ours`);
    for (const [key, value] of tags) {
      const wrong =
        keyProblem(key) ?? (value.length > maxValue ? `has a value of ${value.length} characters, Azure takes ${maxValue}` : undefined);
      if (wrong !== undefined) problem(setting, `tag "${key.slice(0, 40)}" ${wrong}`);
    }
  }
};

function keyProblem(key: string): string | undefined {
  const lower = key.toLowerCase();
  if (key === "") return "has no name";
  if (key.length > maxKey) return `has a name of ${key.length} characters, Azure takes ${maxKey}`;
  if (unsafe.includes(lower)) return "has a name that is not taken: JavaScript programs that read it would stumble";
  if (forbidden.test(key)) return "has a character that Azure does not take: < > % & \\ ? / or a control character";
  const prefix = reservedPrefixes.find((reserved) => lower.startsWith(reserved));
  if (prefix !== undefined) return `begins with "${prefix}", which Azure keeps to itself`;
  if (lower === optionsTag || lower.startsWith(`${optionsTag}-`)) return "is one of ours, which records what the cluster was made with";
  return ours.includes(lower) ? "is one of ours, by which ownership is proved" : undefined;
}

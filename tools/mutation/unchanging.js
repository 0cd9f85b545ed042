/** Code whose mutants change nothing that anybody can see. */

/** [the expression that contains it, the code, why] */
const table = [
  [
    '"identitySet" in owner ? [persistentGroupName(owner.identitySet), issuerGroupName(owner.identitySet)] : []',
    "[]",
    "no group has such a name",
  ],
  ["[id.toLowerCase(), id]", "id.toLowerCase()", "only one casing is needed"],
  ['group === "managed" && mayBeExisting', 'group === "managed"', "the managed group is the first of each list"],
  ['baseDomain: ""', '""', "only names of zones contain it"],
  ["expectedGroupDeletion([])", "[]", "it only changes the estimated time"],
  ['clusterOwns(own, one) ? groupIn(one.id ?? "")?.resourceGroup.toLowerCase() : []', "[]", "no group has such a name"],
  ["ours ? [group] : []", "[]", "what has no tags has no second owner"],
  ['id !== "" && clusterResource(own, id) !== undefined', 'id !== ""', "Azure sends the ID of each group"],
  ['id !== ""', '""', "Azure sends the ID of each group"],
  ["first === undefined || !isOnly", "first === undefined", "the type requires it: the result is undefined too"],
  ['return "none";', '"none"', "the type allows no other text"],
  ['unnamedPrefixes.some(candidate => tag.startsWith(candidate)) ? "unnamed-cluster" : "none"', '"none"', "the type allows no other text"],
];

export const unchanging = new Map(table.map(([within, code, why]) => [`${within} > ${code}`, why]));

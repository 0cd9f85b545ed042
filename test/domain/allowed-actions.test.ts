/** What deny assignments take away from roles. */
import { expect, test } from "vitest";
import { takenAway, type Actions } from "../../src/domain/allowed-actions.js";

const zones = "Microsoft.Network/dnsZones";

test.each<[string, Actions, Actions, readonly string[]]>([
  ["the same action", { actions: [`${zones}/read`] }, { actions: [`${zones}/READ`] }, [`${zones}/read`, `${zones}/READ`]],
  ["another action", { actions: [`${zones}/read`] }, { actions: [`${zones}/write`] }, []],
  [
    "all actions of the role but reads",
    { actions: [`${zones}/read`, `${zones}/write`] },
    { actions: ["*"], notActions: ["*/read"] },
    [`${zones}/write`],
  ],
  [
    "one action of a role for everything",
    { actions: ["*"], notActions: ["*/delete"] },
    { actions: [`${zones}/write`, `${zones}/delete`] },
    [`${zones}/write`],
  ],
  ["patterns of both", { actions: ["Microsoft.Network/*"] }, { actions: ["*/write"] }, ["Microsoft.Network/write"]],
  ["everything of everything", { actions: ["*"] }, { actions: ["*"] }, ["*/write", "*/delete", "*/action", "*/read"]],
])("%s", (_title, granted, denied, expected) => {
  expect(takenAway([granted], [denied])).toEqual(expected);
});

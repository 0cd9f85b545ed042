/** The tables in docs/least-privilege.md. */
import { offlineCommands, places, preparedGroups, rows, type Grant, type Row } from "./least-privilege.js";
import { code, row } from "./markdown.js";

export function rightsTable(): string {
  const lines = rows.map(({ commands, grants, graph }: Row) => {
    const [onGroups, elsewhere] = [grants.filter(({ on }) => on === "groups"), grants.filter(({ on }) => on !== "groups")];
    return row([
      list(commands),
      onGroups.flatMap(({ roles }) => roles).join(", ") || "nothing",
      elsewhere.map(grantText).join("; ") || "nothing",
      graph === undefined ? "nothing" : code(graph),
    ]);
  });
  return `| to run | on its resource groups | elsewhere | in Microsoft Graph |
| --- | --- | --- | --- |
${lines.join("\n")}
${row([list(offlineCommands), "not even Reader: no request to Azure", "nothing", "nothing"])}
`;
}

function grantText({ roles, on, flag }: Grant): string {
  return `${flag === undefined ? "" : `with ${code(flag)}: `}${roles.join(", ")} on ${places[on]}`;
}

export function groupsTable(): string {
  const lines = preparedGroups.map(({ commands, names, tags }) => [
    list(commands),
    list(names),
    list(Object.entries(tags).map(([tag, value]) => `${tag}=${value}`)),
  ]);
  return `| for | resource groups | tags |\n| --- | --- | --- |\n${lines.map(row).join("\n")}\n`;
}

function list(texts: readonly string[]): string {
  return texts.map(code).join(", ");
}

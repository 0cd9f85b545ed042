/** Reads a fleet file: values that all members have, and each set, management cluster and cluster with its own. */
import { Failure, firstProblems, type Problem } from "../errors/failure.js";
import type { ReadDocument } from "../files/read.js";
import type { ConfigDocument } from "../settings/config-file.js";
import { plural } from "../text/plural.js";
import { memberKinds, type MemberKind } from "./domain/member-kinds.js";
import { readFleetDocument, type FleetDocument } from "./files/fleet-document.js";
import { isFleetKey, kinds } from "./member-facts.js";

export interface Member {
  readonly kind: MemberKind;
  readonly name: string;
  /** Its values over the common ones, with the line of each. */
  readonly settings: ConfigDocument & { readonly value: Readonly<Record<string, unknown>> };
  /** The set of the file whose identities a cluster uses. */
  readonly set: Member | undefined;
}

export interface Fleet {
  readonly path: string;
  /** Sets before the clusters that use them. */
  readonly members: readonly Member[];
}

/** @throws ARO-FILE-001, 002 or 003: every problem with its line */
export async function readFleet(path: string): Promise<Fleet> {
  const { document, content } = await readFleetDocument(path);
  const members = membersOf(document, content);
  const problems = [
    ...keyProblems(document, content),
    ...nameProblems(members),
    ...setProblems(members, content),
    ...infraIdProblems(members),
  ];
  if (members.length === 0) problems.push({ origin: path, message: `has no ${memberKinds.join(", ")}` });
  if (problems.length > 0) {
    throw new Failure("ARO-FILE-003", `${path} is not valid as a fleet file`, { problems: firstProblems(problems, (one) => one) });
  }
  return { path, members };
}

function membersOf(document: ReadDocument, content: FleetDocument): readonly Member[] {
  const { common = {} } = content;
  const sets = new Map<unknown, Member>();
  return memberKinds.flatMap((kind) =>
    (content[kind] ?? []).map((own, index): Member => {
      const value: Readonly<Record<string, unknown>> = { ...common, ...own };
      const at = (keys: readonly string[]) => {
        const [key] = keys;
        return document.at(key === undefined || Object.hasOwn(own, key) ? [kind, index, ...keys] : ["common", ...keys]);
      };
      const found: Member = {
        kind,
        name: own.name,
        settings: { value, at },
        set: kind === "clusters" ? sets.get(value["identitiesName"]) : undefined,
      };
      if (kind === "sets") sets.set(own.name, found);
      return found;
    }),
  );
}

/** The keys of `common` are for any member; those of a member are for the commands of its kind. */
function keyProblems(document: ReadDocument, content: FleetDocument): readonly Problem[] {
  const of = (path: readonly PropertyKey[], keys: readonly string[], known: readonly MemberKind[]) =>
    keys.flatMap((key): Problem[] => {
      const origin = document.at([...path, key]);
      if (isFleetKey(key)) return [{ origin, message: `"${key}" is set by the fleet itself` }];
      return known.some((kind) => kinds[kind].keys().has(key))
        ? []
        : [{ origin, message: `"${key}" is not a setting of ${known.join(", ")}` }];
    });
  return [
    ...of(["common"], Object.keys(content.common ?? {}), memberKinds),
    ...memberKinds.flatMap((kind) => (content[kind] ?? []).flatMap((own, index) => of([kind, index], Object.keys(own), [kind]))),
  ];
}

/** A name is that of a directory, and of an argument: it stands for one member, whatever its kind. */
function nameProblems(members: readonly Member[]): readonly Problem[] {
  return duplicates(
    members,
    ({ name }) => name.toLowerCase(),
    "name",
    (first) => `is also the name of ${first}`,
  );
}

/** The infra ID is part of the names of resources: of two clusters with one, each would change the other. */
function infraIdProblems(members: readonly Member[]): readonly Problem[] {
  const clusters = members.filter(({ kind }) => kind === "clusters");
  return duplicates(
    clusters,
    ({ settings }) => settings.value["infraId"],
    "infraId",
    (first) => `is also the infra ID of ${first}`,
  );
}

function duplicates(
  members: readonly Member[],
  keyOf: (one: Member) => unknown,
  key: string,
  message: (first: string) => string,
): readonly Problem[] {
  const seen = new Map<unknown, Member>();
  return members.flatMap((one): Problem[] => {
    const value = keyOf(one);
    const first = value === undefined ? undefined : seen.get(value);
    if (first === undefined) {
      seen.set(value, one);
      return [];
    }
    return [{ origin: one.settings.at([key]), message: `${key} of ${one.name} ${message(`${first.name} (${first.settings.at([key])})`)}` }];
  });
}

function setProblems(members: readonly Member[], { sets = [] }: FleetDocument): readonly Problem[] {
  return members.flatMap(({ kind, name, set, settings }): Problem[] => {
    const wanted = settings.value["identitiesName"];
    if (kind !== "clusters" || wanted === undefined || set !== undefined) return [];
    const known =
      sets.length === 0 ? "the file has no sets" : `the file has ${plural(sets.length, "set")}: ${sets.map((one) => one.name).join(", ")}`;
    return [{ origin: settings.at(["identitiesName"]), message: `cluster ${name} is to use a set that is not in sets; ${known}` }];
  });
}

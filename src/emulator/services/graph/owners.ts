/** Owners of objects, and objects of any kind by their IDs. */
import { z } from "zod";
import type { Answer, Call } from "../../core/service.js";
import { readBody } from "./body.js";
import { changeable } from "./deleted-items.js";
import { badRequest, notFound } from "./errors.js";
import { checkOptions, collections, find, findOr404, readableIn, type Collection, type Key } from "./query.js";
import { mayRead, requireChange } from "./rights.js";
import type { DirectoryObject } from "./objects.js";

const { applications, servicePrincipals, users, groups } = collections;
const context = "https://graph.microsoft.com/v1.0/$metadata#directoryObjects";

export function listOwners(call: Call, collection: Collection, key: Key): Answer {
  checkOptions(call.request, new Set());
  const { application } = findOr404(call, collection, key);
  const owners = collection === applications ? application?.owners : application?.servicePrincipal?.owners;
  const value = (owners ?? []).map((owner) => {
    const principal = find(call, servicePrincipals, { property: "id", value: owner });
    // An owner that is no service principal is a user.
    return principal === undefined
      ? shown(call, users, find(call, users, { property: "id", value: owner }), owner)
      : typed(servicePrincipals)(principal);
  });
  return { status: 200, takes: call.sample("read"), body: { "@odata.context": context, value } };
}

const ownerBody = z.strictObject({});
const reference = /\/(?:directoryObjects|servicePrincipals)\/([0-9a-f-]{36})$/i;

export function addOwner(call: Call, key: Key): Answer {
  const application = changeable(findOr404(call, applications, key));
  requireChange(call, application.owners ?? []);
  readBody(call, ownerBody, "DirectoryObject");
  const [, owner] = reference.exec(String((call.request.body as Record<string, unknown>)["@odata.id"])) ?? [];
  if (owner === undefined) throw badRequest("Invalid reference URI.");
  findOr404(call, servicePrincipals, { property: "id", value: owner });
  const owners = application.owners ?? [];
  if (owners.includes(owner)) {
    throw badRequest("One or more added object references already exist for the following modified properties: 'owners'.");
  }
  application.owners = [...owners, owner];
  return { status: 204, takes: call.sample("graph.application") };
}

export function removeOwner(call: Call, key: Key, id: string): Answer {
  const application = changeable(findOr404(call, applications, key));
  requireChange(call, application.owners ?? []);
  const owners = application.owners ?? [];
  if (!owners.includes(id)) throw notFound(id);
  application.owners = owners.filter((owner) => owner !== id);
  return { status: 204, takes: call.sample("graph.application") };
}

const getByIdsBody = z.strictObject({ ids: z.array(z.guid()).min(1).max(1000), types: z.array(z.string()).optional() });

/** Skips IDs that name nothing. Of a kind that the caller may not read, it answers type and ID alone. */
export function getByIds(call: Call): Answer {
  const { ids, types } = readBody(call, getByIdsBody, "getByIds");
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  const value = [applications, servicePrincipals, users, groups]
    .filter(({ entity }) => types === undefined || types.includes(entity) || types.includes("directoryObject"))
    .flatMap((collection) =>
      wanted.flatMap((id) => {
        const found = find(call, collection, { property: "id", value: id });
        return found === undefined ? [] : [shown(call, collection, found, id)];
      }),
    );
  return { status: 200, takes: call.sample("read"), body: { "@odata.context": context, value } };
}

function shown(call: Call, collection: Collection, found: DirectoryObject | undefined, id: string): Record<string, unknown> {
  if (found !== undefined && mayRead(call, readableIn(collection))) return typed(collection)(found);
  return { "@odata.type": `#microsoft.graph.${collection.entity}`, id };
}

const typed =
  ({ entity }: Collection) =>
  ({ properties }: DirectoryObject): Record<string, unknown> => ({ "@odata.type": `#microsoft.graph.${entity}`, ...properties });

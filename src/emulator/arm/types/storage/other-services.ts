/** Queues and tables as ARM sees them, without their data planes. */
import { z } from "zod";
import { storageNotFound } from "../../errors.js";
import { defineType, type ResourceBody, type ResourceType } from "../../resource-type.js";
import { isRecord, known } from "../../body-schema.js";
import { requireProvisioned } from "./account-keys.js";
import { accountOf } from "./blob-containers.js";
import { accountType, storageVersions } from "./account-body.js";

type ContentType = Pick<
  ResourceType,
  | "namePattern"
  | "nameRule"
  | "missingRefusal"
  | "createdStatus"
  | "deletedStatus"
  | "storedProperties"
  | "presentedProperties"
  | "presentedByPut"
  | "presentedInList"
> & {
  readonly name: string;
  readonly body: z.ZodType<ResourceBody>;
};

function contentType({ name, ...type }: ContentType): ResourceType {
  return defineType({
    ...type,
    name: `${accountType}/${name}`,
    apiVersions: storageVersions,
    verbs: ["read", "write", "delete"],
    kind: "proxy",
    latency: { put: "container.put", delete: "container.put" },
    checkPut: ({ state, id }) => requireProvisioned(accountOf(state, id)),
  });
}

const metadata = z.record(z.string(), z.string()).optional();
const hyphenated = {
  namePattern: /^(?!.*--)[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/,
  nameRule: "It must have 3 to 63 lower-case letters, digits or single hyphens, and begin and end with a letter or digit.",
};

const queues = contentType({
  ...hyphenated,
  name: "queueServices/queues",
  missingRefusal: storageNotFound("Queue"),
  createdStatus: 200,
  deletedStatus: 204,
  body: known({ properties: known({ metadata }, ["approximateMessageCount"]).optional() }, ["id", "name", "type"]),
  storedProperties: ({ body, existing }) => ({ metadata: {}, ...existing?.properties, ...(body.properties as object | undefined) }),
  presentedProperties: (_state, { properties }) => ({ ...properties, approximateMessageCount: 0 }),
  presentedByPut: (_put, { properties, ...rest }) => ({ ...rest, properties: withoutMember(properties, "approximateMessageCount") }),
  presentedInList: ({ properties, ...rest }) => ({ ...rest, properties: withoutMember(properties, "approximateMessageCount") }),
});

const tables = contentType({
  name: "tableServices/tables",
  namePattern: /^[A-Za-z][A-Za-z0-9]{2,62}$/,
  nameRule: "It must have 3 to 63 letters or digits and begin with a letter.",
  missingRefusal: storageNotFound("Table"),
  createdStatus: 200,
  deletedStatus: 204,
  body: known({ properties: known({ signedIdentifiers: z.array(z.unknown()).optional() }, ["tableName"]).optional() }, [
    "id",
    "name",
    "type",
  ]),
  storedProperties: ({ name, body, existing }) => ({
    signedIdentifiers: [],
    ...existing?.properties,
    ...(body.properties as object | undefined),
    tableName: name,
  }),
  presentedByPut: ({ body }, { properties, ...rest }) => ({
    ...rest,
    properties: hasIdentifiers(body.properties) ? properties : withoutMember(properties, "signedIdentifiers"),
  }),
});

function hasIdentifiers(sent: unknown): boolean {
  return isRecord(sent) && "signedIdentifiers" in sent;
}

function withoutMember(properties: unknown, member: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties as object).filter(([name]) => name !== member));
}

export const otherStorageTypes: readonly ResourceType[] = [queues, tables];

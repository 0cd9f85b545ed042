/** Whether an object has only the members of its type, with their types: by the models of the Kubernetes client, which come from Kubernetes' OpenAPI. */
import * as client from "@kubernetes/client-node";

interface Attribute {
  readonly baseName: string;
  /** `string`, `number`, `boolean`, `any`, `Array<TYPE>`, `{ [key: string]: TYPE; }`, or the name of a model. */
  readonly type: string;
}

type Schema = readonly Attribute[];

const member = (baseName: string, type: string): Attribute => ({ baseName, type });
const head: Schema = [member("apiVersion", "string"), member("kind", "string"), member("metadata", "V1ObjectMeta")];

/** The custom resource definition of the Secrets Store CSI driver, v1. */
const customTypes: Readonly<Record<string, Schema>> = {
  SecretProviderClass: [...head, member("spec", "SecretProviderClassSpec")],
  SecretProviderClassSpec: [
    member("provider", "string"),
    member("parameters", "{ [key: string]: string; }"),
    member("secretObjects", "Array<SecretObject>"),
  ],
  SecretObject: [
    ...[member("secretName", "string"), member("type", "string"), member("data", "Array<SecretObjectData>")],
    ...[member("labels", "{ [key: string]: string; }"), member("annotations", "{ [key: string]: string; }")],
  ],
  SecretObjectData: [member("key", "string"), member("objectName", "string")],
};

/** One line for each member that the type does not have, or that has another type. */
export function schemaProblems(value: unknown, type: string, at = type): string[] {
  const [, element] = /^Array<(.+)>$/.exec(type) ?? [];
  if (element !== undefined) {
    if (!Array.isArray(value)) return [`${at} is not a list`];
    return value.flatMap((one, index) => schemaProblems(one, element, `${at}[${String(index)}]`));
  }
  if (type === "any") return [];
  if (["string", "number", "boolean"].includes(type)) return typeof value === type ? [] : [`${at} is not a ${type}`];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [`${at} is not an object`];
  const [, valueType] = /^\{ \[key: string\]: (.+?);? \}$/.exec(type) ?? [];
  const schema = valueType === undefined ? schemaOf(type) : undefined;
  return Object.entries(value).flatMap(([key, one]) => {
    const known = valueType ?? schema?.find(({ baseName }) => baseName === key)?.type;
    return known === undefined ? [`${at}.${key} is not a member of ${type}`] : schemaProblems(one, known, `${at}.${key}`);
  });
}

/** @throws Error if neither the client nor this file has the type */
function schemaOf(type: string): Schema {
  const models = client as unknown as Readonly<Record<string, { getAttributeTypeMap?(): Schema } | undefined>>;
  const schema = customTypes[type] ?? models[type]?.getAttributeTypeMap?.();
  if (schema === undefined) throw new Error(`there is no schema of ${type}`);
  return schema;
}

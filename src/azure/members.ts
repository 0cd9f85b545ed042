/** Checks of a JSON value's members. Each returns the path of the first one that is missing or has another type. */

/** "" for the value itself; undefined if nothing is wrong. */
export type Check = (value: unknown) => string | undefined;

export const text: Check = (value) => (typeof value === "string" ? undefined : "");
export const number: Check = (value) => (typeof value === "number" && Number.isFinite(value) ? undefined : "");
export const boolean: Check = (value) => (typeof value === "boolean" ? undefined : "");
export const date: Check = (value) => (typeof value === "string" && !Number.isNaN(Date.parse(value)) ? undefined : "");

export function optional(check: Check): Check {
  return (value) => (value === undefined || value === null ? undefined : check(value));
}

/** Other members may have any type. */
export function object(members: Readonly<Record<string, Check>> = {}): Check {
  return (value) => {
    if (!isMembers(value)) return "";
    for (const [name, check] of Object.entries(members)) {
      const wrong = check(value[name]);
      if (wrong !== undefined) return wrong === "" || wrong.startsWith("[") ? `${name}${wrong}` : `${name}.${wrong}`;
    }
    return undefined;
  };
}

/** An object whose members all have the same type, whatever their names. */
export function record(each: Check): Check {
  return (value) => (isMembers(value) ? object(Object.fromEntries(Object.keys(value).map((name) => [name, each])))(value) : "");
}

export function list(entry: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return "";
    for (const [index, each] of value.entries()) {
      const wrong = entry(each);
      if (wrong !== undefined) return `[${String(index)}]${wrong === "" ? "" : `.${wrong}`}`;
    }
    return undefined;
  };
}

export type Members = Readonly<Record<string, unknown>>;

export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

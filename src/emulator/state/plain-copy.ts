/** Copies of plain objects and arrays, for what must not change with the state. */

type Container = Record<string, unknown> | unknown[];

/** Whether JSON describes it in whole: not a Buffer, an error or a map. */
export function isContainer(value: unknown): value is Container {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A deep copy; what is neither a plain object nor an array stays as it is. */
export function plainCopy<T>(value: T): T {
  if (!isContainer(value)) return value;
  if (Array.isArray(value)) return value.map(plainCopy) as T;
  const copy: Record<string, unknown> = {};
  for (const [key, held] of Object.entries(value)) putOwn(copy, key, plainCopy(held));
  return copy as T;
}

/** An assignment to `__proto__` would set the prototype instead. */
export function putOwn(target: object, key: string, value: unknown): void {
  if (key !== "__proto__") (target as Record<string, unknown>)[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

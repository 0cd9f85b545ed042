/** Gets and sets record entries by any client-given name, even one of Object.prototype such as `constructor`. */

/** Undefined if the record has no entry of its own with the name. */
export function namedIn<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

/** An assignment to `__proto__` would set the prototype instead. */
export function setNamed<T>(record: Record<string, T>, name: string, value: T): void {
  Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
}

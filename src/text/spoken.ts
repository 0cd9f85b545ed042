/** For people, the words of a value of an enumeration: "expires-soon" is "expires soon". */
export function spoken(value: string): string {
  return value.replaceAll("-", " ");
}

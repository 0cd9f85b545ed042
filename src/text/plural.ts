/** Counted nouns: "1 resource", "2 resources", "2 identities". */
export function plural(count: number, noun: string, many = noun.replace(/([^aeiou])y$/, "$1ie").concat("s")): string {
  return `${String(count)} ${count === 1 ? noun : many}`;
}

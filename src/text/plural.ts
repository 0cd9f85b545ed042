/** Counted nouns: "1 resource", "2 resources". */
export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${String(count)} ${count === 1 ? noun : many}`;
}

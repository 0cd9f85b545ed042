/** Text whose colors are ours: only the builders of `src/render` make it, from parts that are printable. */

declare const isPainted: unique symbol;
export type Painted = string & { readonly [isPainted]: true };

export function painted(text: string): Painted {
  return text as Painted;
}

/** What the code of an error looks like: ARO-NET-004. */

/** In lowercase too, as somebody types it. */
export function isErrorCode(text: string): boolean {
  return /^aro-[a-z]+-\d+$/i.test(text);
}

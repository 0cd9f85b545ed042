/** Ends lists whose pages never do: those whose next page is an earlier one, and those with new pages forever. */
import { Failure } from "../errors/failure.js";
import { plural } from "../text/plural.js";

/** The shortest pages, a vault's, have 25 entries. */
export const mostPages = 1000;

interface Page {
  readonly key: string;
  readonly number: number;
  readonly before: Page | undefined;
}

/**
 * Follows the pages of all lists of one client: call the returned function with the address of each page and that of the next.
 * @throws ARO-NET-006 if the list does not end
 */
export function pageChain(): (address: string, next: string) => void {
  const pages = new Map<string, Page>();
  return (address, next) => {
    const current = pages.get(keyOf(address)) ?? { key: keyOf(address), number: 1, before: undefined };
    const key = keyOf(next);
    for (let page: Page | undefined = current; page !== undefined; page = page.before) {
      if (page.key === key) throw endless(address, `the next page of page ${String(current.number)} is page ${String(page.number)} again`);
    }
    if (current.number >= mostPages) throw endless(address, `it has more than ${plural(mostPages, "page")}`);
    pages.set(key, { key, number: current.number + 1, before: current });
  };
}

/** Clients add the API version to the address of a next page. */
function keyOf(address: string): string {
  const url = new URL(address);
  url.searchParams.delete("api-version");
  return url.href;
}

function endless(address: string, because: string): Failure {
  const { host, pathname } = new URL(address);
  return new Failure("ARO-NET-006", `the list ${pathname} of ${host} does not end`, { because });
}

/** Decides which fault applies to which request: counts the requests of one server against its rules. */
import type { ApiRequest } from "./service.js";
import type { FaultRule } from "./fault-rules.js";

export class Faults {
  readonly #rules: { readonly rule: FaultRule; readonly path: RegExp; matched: number }[];
  #requests = 0;

  constructor(rules: readonly FaultRule[]) {
    this.#rules = rules.map((rule) => ({ rule, path: new RegExp(rule.path ?? "", "i"), matched: 0 }));
  }

  /** Call once for each request, in order of arrival. If several rules apply, the first in the file wins; all of them count the request. */
  strike(request: ApiRequest): FaultRule | undefined {
    this.#requests++;
    let struck: FaultRule | undefined;
    for (const entry of this.#rules) {
      if (!matches(entry.rule, entry.path, request)) continue;
      entry.matched++;
      const { rule } = entry;
      const since = rule.request === undefined ? entry.matched - (rule.nth ?? 1) : this.#requests - rule.request;
      if (since >= 0 && since < rule.times) struck ??= rule;
    }
    return struck;
  }
}

function matches(rule: FaultRule, path: RegExp, request: ApiRequest): boolean {
  return (
    (rule.method === undefined || rule.method === request.method) &&
    (rule.host === undefined || rule.host.toLowerCase() === request.host) &&
    path.test(`/${request.path.join("/")}`)
  );
}

/** Decides which fault applies to which request: counts the requests of one server against its rules. */
import type { ApiRequest } from "./service.js";
import type { FaultRule } from "./fault-rules.js";

interface Entry {
  readonly rule: FaultRule;
  readonly pattern: RegExp;
  matched: number;
}

export class Faults {
  #rules: readonly Entry[] = [];
  #requests = 0;

  constructor(rules: readonly FaultRule[]) {
    this.replace(rules);
  }

  /** Counts from 1 again. */
  replace(rules: readonly FaultRule[]): void {
    this.#rules = rules.map((rule) => ({ rule, pattern: new RegExp(rule.path ?? "", "i"), matched: 0 }));
    this.#requests = 0;
  }

  /** Call once for each request, in order of arrival. If several rules apply, the first in the file wins; all of them count the request. */
  strike(request: ApiRequest): FaultRule | undefined {
    this.#requests++;
    const path = `/${request.path.join("/")}`;
    let struck: FaultRule | undefined;
    for (const entry of this.#rules) {
      const { rule } = entry;
      // Of a rule for one request of all, the other requests need no look.
      if (rule.request !== undefined && !isWithin(rule, this.#requests - rule.request)) continue;
      if (!matches(entry, request, path)) continue;
      entry.matched++;
      if (rule.request !== undefined || isWithin(rule, entry.matched - (rule.nth ?? 1))) struck ??= rule;
    }
    return struck;
  }
}

const isWithin = ({ times }: FaultRule, since: number): boolean => since >= 0 && since < times;

function matches({ rule, pattern }: Entry, request: ApiRequest, path: string): boolean {
  return (
    (rule.method === undefined || rule.method === request.method) &&
    (rule.host === undefined || rule.host.toLowerCase() === request.host) &&
    pattern.test(path)
  );
}

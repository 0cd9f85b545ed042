/** Tag names of a subscription with their values: those of its resources, and those that a client defined. */
import type { Answer } from "../core/service.js";
import { requireRight } from "./authorization-check.js";
import { findSubscription } from "./scopes.js";
import type { Endpoint, Parameters } from "./endpoint.js";
import { page } from "./paging.js";
import { resourcesVersions } from "./resource-groups.js";
import { resourcesByScope, resourcesByTag } from "./indexes.js";
import { isWithin, keyOf, nameOf } from "./resource-id.js";
import type { ArmCall } from "./resource-type.js";
import { checkTags } from "./tag-rules.js";

const collection = "/subscriptions/{subscriptionId}/tagNames";
const named = `${collection}/{tag}`;
const valued = `${named}/tagValues/{value}`;
const versions = resourcesVersions;

export const tagNameEndpoints: readonly Endpoint[] = [
  { method: "GET", path: collection, versions, handle: list },
  { method: "PUT", path: named, versions, handle: put },
  { method: "PUT", path: valued, versions, handle: put },
  { method: "DELETE", path: named, versions, handle: remove },
  { method: "DELETE", path: valued, versions, handle: remove },
];

interface TagName {
  readonly name: string;
  /** How often each value is used: 0 for one that is only defined. */
  readonly values: Map<string, number>;
}

/** With `only`, no more than that one is complete. By lower-cased name: names are compared case-insensitively, values are not. */
function tagNamesOf({ state }: ArmCall, scope: string, only?: string): Map<string, TagName> {
  const names = new Map<string, TagName>();
  const count = (name: string, value: string | undefined, times: number): void => {
    const known = names.get(keyOf(name)) ?? { name, values: new Map<string, number>() };
    names.set(keyOf(name), known);
    if (value !== undefined) known.values.set(value, (known.values.get(value) ?? 0) + times);
  };
  for (const [id, values] of Object.entries(state.definedTags ?? {})) {
    if (!isWithin(id, scope) || (only !== undefined && keyOf(nameOf(id)) !== keyOf(only))) continue;
    for (const value of [undefined, ...values]) count(nameOf(id), value, 0);
  }
  const tagged =
    only === undefined ? resourcesByScope.find(state.resources, keyOf(scope)) : resourcesByTag.find(state.resources, keyOf(only));
  for (const { id, tags = {} } of tagged) {
    if (isWithin(id, scope)) for (const [name, value] of Object.entries(tags)) count(name, value, 1);
  }
  return names;
}

function list(call: ArmCall, parameters: Parameters): Answer {
  const scope = scopeOf(call, parameters, "read");
  return page(call, [...tagNamesOf(call, scope).values()], (one) => presentName(scope, one));
}

function put(call: ArmCall, parameters: Parameters): Answer {
  const scope = scopeOf(call, parameters, "write");
  const { tag = "", value } = parameters;
  checkTags({ [tag]: value ?? "" });
  const { name, values } = tagNamesOf(call, scope, tag).get(keyOf(tag)) ?? { name: tag, values: new Map<string, number>() };
  call.state.definedTags ??= {};
  const defined = call.state.definedTags;
  const key = keyIn(call, scope, name);
  const isNew = value === undefined ? defined[key] === undefined && values.size === 0 : !values.has(value);
  defined[key] = [...new Set([...(defined[key] ?? []), ...(value === undefined ? [] : [value])])];
  const status = isNew ? 201 : 200;
  const takes = call.sample("read");
  if (value === undefined) return { status, body: presentName(scope, { name, values }), takes };
  return { status, body: presentValue(scope, name, value, values.get(value) ?? 0), takes };
}

/** 204 if it was not defined. What resources use stays in the list. */
function remove(call: ArmCall, parameters: Parameters): Answer {
  const scope = scopeOf(call, parameters, "delete");
  const { tag = "", value } = parameters;
  const key = keyIn(call, scope, tag);
  const defined = call.state.definedTags?.[key];
  const takes = call.sample("read");
  if (call.state.definedTags === undefined || defined === undefined || (value !== undefined && !defined.includes(value))) {
    return { status: 204, takes };
  }
  if (value === undefined) delete call.state.definedTags[key];
  else call.state.definedTags[key] = defined.filter((one) => one !== value);
  return { status: 200, takes };
}

/** The key of a name that is defined already in another case is that one. */
function keyIn({ state }: ArmCall, scope: string, name: string): string {
  const id = `${scope}/tagNames/${name}`;
  return Object.keys(state.definedTags ?? {}).find((one) => keyOf(one) === keyOf(id)) ?? id;
}

function scopeOf(call: ArmCall, { subscriptionId = "" }: Parameters, verb: string): string {
  const scope = `/subscriptions/${findSubscription(call, subscriptionId).subscriptionId}`;
  requireRight(call, `Microsoft.Resources/subscriptions/tagNames/${verb}`, scope);
  return scope;
}

function presentName(scope: string, { name, values }: TagName): Record<string, unknown> {
  return {
    id: `${scope}/tagNames/${name}`,
    tagName: name,
    count: total([...values.values()].reduce((sum, times) => sum + times, 0)),
    values: [...values].map(([value, times]) => presentValue(scope, name, value, times)),
  };
}

function presentValue(scope: string, name: string, value: string, times: number): Record<string, unknown> {
  return { id: `${scope}/tagNames/${name}/tagValues/${value}`, tagValue: value, count: total(times) };
}

function total(value: number): Record<string, unknown> {
  return { type: "Total", value };
}

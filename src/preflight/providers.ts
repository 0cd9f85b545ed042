/** Checks of the subscription's resource providers: they are registered, and offer the resource types in the location. */
import { advise, aroHcp, shell } from "../errors/advice.js";
import type { Azure } from "../azure/azure.js";
import { locationResponse, providerResponse, type ProviderResponse } from "../azure/arm-responses.js";
import { typesCreatedBy, namespaceOf, namespacesCreatedBy } from "../domain/resource-catalogue.js";
import { sameLocation } from "../domain/location.js";
import { sameType } from "../domain/resource-id.js";
import { orRefused } from "../azure/or-refused.js";
import { failed, passed, notChecked, type Finding } from "../verify/check.js";
import { checkInstance, type CheckInstance } from "../verify/check-instance.js";
import type { Account } from "./account.js";
import { doctorChecks } from "./checks.js";
import type { DoctorRequest, WantedResources } from "./request.js";
import { didYouMean } from "../text/did-you-mean.js";
import { sameText } from "../text/same-text.js";

export type Providers = ReadonlyMap<string, ProviderResponse>;

export interface ProviderLinks {
  readonly instances: readonly CheckInstance[];
  /** Available if they can be read. */
  readonly providers: CheckInstance<Providers>;
  readonly location: CheckInstance;
}

const version = "2021-04-01";
const pollMs = 5_000;
/** Azure takes about a minute. */
const mostPolls = 60;

export function providerCheckInstances(
  azure: Azure,
  request: DoctorRequest,
  wanted: WantedResources,
  account: CheckInstance<Account>,
): ProviderLinks {
  const providers = checkInstance(doctorChecks.providers, "providers", { account }, async () => {
    const read = await readProviders(azure, namespacesCreatedBy(request.parts));
    if (read === undefined) {
      const next = advise`ask an owner for Reader on the subscription, or check yourself: ${shell`az provider list --query [].namespace`}`;
      return failed<Providers>("the signed-in principal has no permission to read the resource providers", next, { value: new Map() });
    }
    const missing = unregistered(read);
    if (request.register && missing.length > 0) return checkProviders(await register(azure, read, missing), missing);
    return checkProviders(read, []);
  });
  const location = checkInstance(doctorChecks.location, request.location, { account, providers }, ({ providers: offered }) =>
    offered.size === 0
      ? notChecked("the signed-in principal has no permission to read the resource providers")
      : checkLocation(azure, request, wanted, offered),
  );
  return { instances: [providers, location], providers, location };
}

/** Reads the providers of these namespaces in one request; undefined if they cannot be read. */
export async function readProviders(azure: Azure, namespaces: readonly string[]): Promise<Providers | undefined> {
  const manager = await azure.manager();
  const known = await orRefused(manager.list(`/subscriptions/${azure.connection.subscriptionId}/providers`, version, providerResponse));
  if (known === undefined) return undefined;
  const named = (namespace: string) => known.find((one) => sameText(one.namespace, namespace));
  return new Map(
    namespaces.map((namespace) => [namespace, named(namespace) ?? { namespace, registrationState: "NotRegistered", resourceTypes: [] }]),
  );
}

function unregistered(providers: Providers): string[] {
  return [...providers].filter(([, { registrationState }]) => registrationState !== "Registered").map(([namespace]) => namespace);
}

/** Registers the missing providers; returns all of them afterwards. */
async function register(azure: Azure, before: Providers, missing: readonly string[]): Promise<Providers> {
  const { providers } = await azure.resources();
  const manager = await azure.manager();
  const one = async (namespace: string): Promise<ProviderResponse> => {
    await providers.register(namespace);
    for (let polls = 1; ; polls += 1) {
      const { body: now } = await manager.get(
        `/subscriptions/${azure.connection.subscriptionId}/providers/${namespace}`,
        version,
        providerResponse,
      );
      if (now.registrationState === "Registered" || polls === mostPolls) return now;
      await azure.connection.clock.sleep(pollMs, azure.connection.current()?.signal);
    }
  };
  const after = await Promise.all(missing.map(async (namespace) => [namespace, await one(namespace)] as const));
  return new Map([...before, ...after]);
}

export function checkProviders(providers: Providers, registered: readonly string[]): Finding<Providers> {
  const missing = unregistered(providers);
  if (missing.length === 0) {
    const done = registered.length === 0 ? "" : `; ${registered.join(", ")} newly registered`;
    return passed(`${[...providers.keys()].join(", ")} are registered${done}`, providers);
  }
  const states = missing.map((namespace) => `${namespace} is ${providers.get(namespace)?.registrationState ?? ""}`);
  const next = advise`${aroHcp("doctor", { register: true })} registers them; a create with that permission registers them too, and takes a few minutes longer`;
  return failed(states.join(", "), next, { value: providers });
}

/** Providers list locations by display name, which without spaces is the name, so the locations are read only for one that no provider lists. */
export async function checkLocation(
  azure: Azure,
  { location, parts }: Pick<DoctorRequest, "location" | "parts">,
  wanted: Pick<WantedResources, "uses">,
  providers: Providers,
): Promise<Finding<undefined>> {
  const lackingIn = (...names: readonly string[]) =>
    typesCreatedBy(parts).filter((row) => {
      if (row.use.location === "global" || !wanted.uses(row.type)) return false;
      const namespace = namespaceOf(row);
      const offered = providers
        .get(namespace)
        ?.resourceTypes.find(({ resourceType }) => sameType(`${namespace}/${resourceType}`, row.type));
      return !(offered?.locations ?? []).some((offer) => names.some((name) => sameLocation(name, offer)));
    });
  if (lackingIn(location).length === 0) return passed(`${location} offers all of them`);
  const manager = await azure.manager();
  const path = `/subscriptions/${azure.connection.subscriptionId}/locations`;
  const known = await orRefused(manager.list(path, "2022-12-01", locationResponse));
  if (known === undefined) return notChecked("the signed-in principal has no permission to read the locations");
  const choose = advise`choose another --location: ${shell`az account list-locations --query [].name`}`;
  const found = known.find(({ name }) => sameLocation(name, location));
  if (found === undefined) {
    const names = known.map(({ name }) => name);
    return failed(`the subscription has no location "${location}"${didYouMean(location, names)}`, choose);
  }
  const lacking = lackingIn(found.name, found.displayName);
  return lacking.length === 0
    ? passed(`${found.displayName} offers all of them`)
    : failed(`${found.displayName} does not offer ${lacking.map(({ type }) => type).join(", ")}`, choose);
}

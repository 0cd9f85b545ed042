/** Which record sets are aliases of a resource, as `az network dns list-references` asks. */
import { z } from "zod";
import type { Answer } from "../../../core/service.js";
import { indexOf } from "../../../state/index-of.js";
import type { StoredResource } from "../../../state/state.js";
import { requireRight } from "../../authorization-check.js";
import { findSubscription } from "../../containers.js";
import type { Endpoint, Parameters } from "../../endpoint.js";
import { readContent } from "../../request-content.js";
import { isWithin, keyOf } from "../../resource-id.js";
import type { ArmCall } from "../../resource-type.js";
import { reference } from "../../body-schema.js";

const body = z.strictObject({ properties: z.strictObject({ targetResources: z.array(reference) }) });

export const dnsReferenceEndpoint: Endpoint = {
  method: "POST",
  path: "/subscriptions/{subscriptionId}/providers/Microsoft.Network/getDnsResourceReference",
  versions: ["2023-07-01-preview", "2018-05-01"],
  handle: answer,
};

function answer(call: ArmCall, { subscriptionId = "" }: Parameters): Answer {
  const scope = `/subscriptions/${findSubscription(call, subscriptionId).subscriptionId}`;
  requireRight(call, "Microsoft.Network/getDnsResourceReference/action", scope);
  const { targetResources } = readContent(body, call.request.body, "Microsoft.Network/getDnsResourceReference").properties;
  const dnsResourceReferences = targetResources.map((targetResource) => ({
    dnsResources: resourcesByTarget
      .find(call.state.resources, keyOf(targetResource.id))
      .flatMap(({ id }) => (isWithin(id, scope) ? [{ id }] : [])),
    targetResource,
  }));
  return { status: 200, body: { properties: { dnsResourceReferences } }, takes: call.sample("read") };
}

/** Record sets, by the lower-case ID of the resource that they are an alias of. */
const resourcesByTarget = indexOf<StoredResource>(({ properties }) => {
  const { id } = (properties as { targetResource?: { id?: string } }).targetResource ?? {};
  return id === undefined ? [] : [keyOf(id)];
});

/** The SKU of a network resource is chosen at its creation. */
import { ApiError } from "../../../core/service.js";
import type { StoredResource } from "../../../state/state.js";

/** What the check needs of a PUT. */
interface SkuPut {
  readonly id: string;
  readonly existing: StoredResource | undefined;
  readonly body: { readonly sku: { readonly name: string } };
}

export function isNewSku({ existing, body }: SkuPut): boolean {
  // Only a seeded resource has none.
  return existing?.sku !== undefined && existing.sku["name"] !== body.sku.name;
}

/** A body without a SKU asks for Basic. @throws ApiError 400 SkuCannotBeChangedOnUpdate */
export function requireSameSku(put: SkuPut): void {
  if (!isNewSku(put)) return;
  throw new ApiError(
    400,
    "SkuCannotBeChangedOnUpdate",
    `Sku property is set at creation time and cannot be changed from ${String(put.existing?.sku?.["name"])} to ${put.body.sku.name} on resource update for resource ${put.id}.`,
    { details: [] },
  );
}

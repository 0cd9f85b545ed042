/** What `local reset`, `local seed` and `local status` do to the world of a directory; a door that is open on it sees it at once. */
import { settle } from "./arm/operations.js";
import { openWorld } from "./open.js";
import { settleCertificates } from "./services/key-vault/certificate-creation.js";
import { seedResources } from "./seed-resources.js";
import { drawUuid } from "./world/draw.js";
import { pictureOf, type WorldPicture } from "./world/picture.js";
import { ensureCredentials, freshWorld } from "./world/seed.js";

/** Back to a fresh world. Credentials and certificates stay. */
export function resetWorld(directory: string): void {
  openWorld(directory).replace(freshWorld(ensureCredentials(directory).clientSecret));
}

/** Adds what a seed document, parsed from JSON or YAML, holds. @throws EmbeddedAzureError naming what is wrong; the world is left alone then. */
export async function seedWorld(directory: string, document: unknown): Promise<void> {
  const { applySeed, parseSeedDocument } = await import("./world/seed-document.js");
  const parsed = parseSeedDocument(document);
  await openWorld(directory).transact(async (world) => {
    const now = Date.now();
    await seedResources(world, parsed.resources, now);
    applySeed(world, parsed, now);
    return { value: undefined, commit: true };
  });
}

/** The comparable picture, with what has ended by the clock ended, and with the ledger of all writes where asked for. */
export async function pictureOfWorld(directory: string, options: { readonly ledger?: boolean } = {}): Promise<WorldPicture> {
  return openWorld(directory).transact((world) => {
    const now = Date.now();
    settle({ world, now, uuid: () => drawUuid(world) });
    settleCertificates(Object.values(world.vaults ?? {}), now);
    return { value: pictureOf(world, now, { ledger: options.ledger ?? false }), commit: false };
  });
}

/** The subscriptions that az has selected, by its `azureProfile.json`. What the file does not say legibly is absent. */
import { z } from "zod";
import { uuid } from "./fields.js";
import { readInputFile } from "./input-file.js";

const profileSchema = z.object({ subscriptions: z.array(z.unknown()) });
const selectedSchema = z.object({
  id: uuid,
  tenantId: uuid,
  state: z.literal("Enabled"),
  isDefault: z.literal(true),
  environmentName: z.string(),
});

const maxBytes = 4 * 1024 * 1024;

/** Enabled subscriptions that are the default of their cloud. */
export async function selectedSubscriptions(file: string): Promise<readonly z.infer<typeof selectedSchema>[]> {
  try {
    const bytes = (await readInputFile(file, maxBytes))?.bytes;
    // The decoder drops the byte order mark with which az begins the file.
    const { subscriptions } = profileSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
    return subscriptions.flatMap((one) => selectedSchema.safeParse(one).data ?? []);
  } catch {
    return [];
  }
}

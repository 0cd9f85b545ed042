/** The Secret of the key that encrypts etcd, as an earlier run wrote it. */
import { z } from "zod";
import { plural } from "../../text/plural.js";
import { readDocument } from "../../files/read.js";
import { validate } from "../../files/validate.js";

/** Bytes of AES-256. */
export const etcdKeyBytes = 32;

const schema = z.looseObject({
  data: z.looseObject({
    key: z
      .base64("expected base64")
      .transform((text) => Buffer.from(text, "base64"))
      .refine(({ length }) => length === etcdKeyBytes, `expected ${plural(etcdKeyBytes, "byte")}`),
  }),
});

/** @throws ARO-FILE-00x for a file without the key */
export async function readEtcdKey(path: string): Promise<Buffer> {
  return validate(await readDocument(path), schema, "the Secret of the key that encrypts etcd").data.key;
}

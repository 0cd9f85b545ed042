/** Azure's limits on tags. */
import { ApiError } from "../core/service.js";

const mostTags = 50;
const longestName = 512;
const longestValue = 256;

/** @throws ApiError for more than 50 tags, or a name or value that is too long or has forbidden characters */
export function checkTags(tags: Readonly<Record<string, string>> | undefined): void {
  const entries = Object.entries(tags ?? {});
  if (entries.length > mostTags) {
    throw new ApiError(
      400,
      "TooManyTags",
      `The number of tags on the resource is '${String(entries.length)}'; the limit is '${String(mostTags)}'.`,
    );
  }
  for (const [name, value] of entries) {
    if (name.length > longestName || name === "") {
      throw new ApiError(400, "InvalidTagName", `The tag name '${name}' is invalid: 1 to ${String(longestName)} characters.`);
    }
    if (/[<>%&\\?/]/.test(name)) {
      throw new ApiError(
        400,
        "InvalidTagNameCharacters",
        `The tag names '${name}' have reserved characters '<,>,%,&,\\,?,/' or control characters.`,
      );
    }
    if (value.length > longestValue) {
      throw new ApiError(400, "InvalidTagValue", `The value of the tag '${name}' exceeds '${String(longestValue)}' characters.`);
    }
  }
}

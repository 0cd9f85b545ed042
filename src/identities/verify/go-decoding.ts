/** Base64 and hexadecimal as Go decodes them. Node's decoder ignores invalid characters and accepts the URL-safe alphabet. Pure. */

/** encoding/base64's StdEncoding: padded, line breaks ignored. Undefined for invalid input. */
export function bytesInBase64(text: string): Buffer | undefined {
  const packed = text.replace(/[\r\n]/g, "");
  return /^[A-Za-z0-9+/]*={0,2}$/.test(packed) && packed.length % 4 === 0 ? Buffer.from(packed, "base64") : undefined;
}

/** encoding/hex. Undefined for invalid input. */
export function bytesInHex(text: string): Buffer | undefined {
  return /^(?:[0-9a-f]{2})*$/i.test(text) ? Buffer.from(text, "hex") : undefined;
}

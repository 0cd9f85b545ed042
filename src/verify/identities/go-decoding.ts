/** Base64 and hexadecimal as Go's libraries decode them. Node's decoder reads over what is no digit, and takes the URL-safe alphabet, too. Pure. */

/** encoding/base64's StdEncoding: padded, line ends left out. Undefined where it would refuse. */
export function bytesInBase64(text: string): Buffer | undefined {
  const packed = text.replace(/[\r\n]/g, "");
  return /^[A-Za-z0-9+/]*={0,2}$/.test(packed) && packed.length % 4 === 0 ? Buffer.from(packed, "base64") : undefined;
}

/** encoding/hex. Undefined where it would refuse. */
export function bytesInHex(text: string): Buffer | undefined {
  return /^(?:[0-9a-f]{2})*$/i.test(text) ? Buffer.from(text, "hex") : undefined;
}

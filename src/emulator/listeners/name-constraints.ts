/** The extension that limits an authority to names (RFC 5280, 4.2.1.10), so that nobody can use its key for other hosts. */

/** The object identifier of the extension. */
export const nameConstraintsId = "2.5.29.30";

const sequence = 0x30;
/** The subtrees that are permitted. */
const permitted = 0xa0;
const dnsName = 0x82;
const ipAddress = 0x87;

/** DER. A domain includes all names below it; each IPv4 address permits only itself. Names of other kinds are not limited. */
export function permittedNames(domains: readonly string[], addresses: readonly string[]): Buffer {
  const names = [
    ...domains.map((domain) => encoded(dnsName, Buffer.from(domain))),
    ...addresses.map((address) => encoded(ipAddress, Buffer.from([...address.split(".").map(Number), 255, 255, 255, 255]))),
  ];
  return encoded(sequence, encoded(permitted, ...names.map((name) => encoded(sequence, name))));
}

function encoded(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  // From 128 on, the first byte has the number of bytes of the length.
  const head = length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

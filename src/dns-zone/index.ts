/** What other features use of DNS zones. */
export { readExternalDns, type ExternalDnsConfig } from "./files/external-dns.js";

/** The variables of a client of a running server: JavaScript, Go, Python, az and curl. Unset those that are empty. */
import { resolve } from "node:path";

/** The files are absolute: a client may run in another directory. */
export function clientVariables(proxyPort: number, caFile: string): Readonly<Record<string, string>> {
  const ca = resolve(caFile);
  return {
    HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`,
    NO_PROXY: "",
    NODE_EXTRA_CA_CERTS: ca,
    SSL_CERT_FILE: ca,
    SSL_CERT_DIR: "",
    REQUESTS_CA_BUNDLE: ca,
    CURL_CA_BUNDLE: ca,
  };
}

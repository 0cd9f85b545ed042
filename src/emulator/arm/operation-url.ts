/** Signs operation URLs as Azure does: more than 3,000 characters, which the client must send back byte for byte. */
import { createHash } from "node:crypto";
import type { Operation, AzureState } from "../state/state.js";

/** Lengths of the parameters: the total is what was seen on real Azure (3,021 to 3,629 characters). */
const parameters = [
  { name: "c", length: 2490 },
  { name: "s", length: 342 },
  { name: "h", length: 43 },
] as const;

/** Ticks (100 ns) from year 1 to the epoch, as .NET counts them. */
const epochTicks = 621_355_968_000_000_000n;

/** The absolute URL of an operation whose path and query, without signature, are `path`. */
export function signedUrl(state: AzureState, operation: Operation, path: string): string {
  return `https://management.azure.com${signedTarget(state, operation, path)}`;
}

export function matchesSignedTarget(state: AzureState, operation: Operation, path: string, target: string): boolean {
  // The SDK repeats the query of the first request behind the URL. Azure must accept that: otherwise no forced deletion could be polled.
  const sent = target.replace(/^\/+/, "/").replace(/&forceDelete=\w+$/, "");
  return sent === signedTarget(state, operation, path);
}

function signedTarget(state: AzureState, operation: Operation, path: string): string {
  // Those of Kubernetes extensions are described with an api-version alone.
  if (path.includes("/Microsoft.KubernetesConfiguration/extensions/")) return path;
  const ticks = epochTicks + BigInt(Math.trunc(operation.startedAt)) * 10_000n;
  const signature = parameters.map(({ name, length }) => `&${name}=${letters(state.tokenKey, `${name} ${path}`, length)}`);
  return `${path}&t=${String(ticks)}${signature.join("")}`;
}

function letters(key: string, text: string, length: number): string {
  const outputLength = Math.ceil((length * 3) / 4);
  return createHash("shake256", { outputLength }).update(key).update(text).digest("base64url").slice(0, length);
}

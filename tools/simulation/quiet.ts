/** Whether anything still runs in this process: a promise, a stream, a file, a key. */
import { webcrypto } from "node:crypto";

let operations = 0;

/** One turn of the event loop. */
export async function untilIdle(): Promise<void> {
  await new Promise(setImmediate);
}

/** Resolves when everything waits for the schedule. */
export async function untilQuiet(): Promise<void> {
  do await untilIdle();
  while (operations > 0 || process.getActiveResourcesInfo().some(isActive));
}

/** Timers are virtual, and a connection to the parent process is always open. */
function isActive(resource: string): boolean {
  return resource === "Immediate" || resource === "CloseReq" || resource.startsWith("FSReq");
}

/** Node.js does not list operations of web cryptography. */
export function countWebCrypto(): void {
  const { subtle } = webcrypto;
  for (const name of ["sign", "verify", "digest", "importKey", "exportKey", "encrypt", "decrypt"] as const) {
    const original = subtle[name].bind(subtle) as (...args: unknown[]) => Promise<unknown>;
    Object.defineProperty(subtle, name, {
      value: (...args: unknown[]) => {
        operations++;
        return original(...args).finally(() => operations--);
      },
    });
  }
}

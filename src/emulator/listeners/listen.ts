/** Listens on a loopback port. */
import type { AddressInfo, Server } from "node:net";
import { EmulatorInputError } from "../common/emulator-error.js";

/** Resolves to the port. @throws EmulatorInputError if the port is taken or not allowed. */
export function listenOnLoopback(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(new EmulatorInputError(`cannot listen on port ${port}: ${error.message}`, { cause: error })));
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

/** An HTTP proxy for unmodified clients, which connects only to the server. */
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { isAzureHost, isEmulatorHost } from "../core/azure-hosts.js";
import { type OpenPort, listenOn, loopback } from "./https-server.js";

export async function openConnectProxy(serverPort: number, port: number, address = loopback): Promise<OpenPort> {
  const tunnels = new Set<Duplex>();
  const server = createServer((_, outgoing) =>
    outgoing.writeHead(403, { "content-type": "text/plain" }).end("This proxy only tunnels to Azure.\n"),
  );
  server.on("connect", (request, client: Socket, head) => {
    const [host = "", hostPort] = (request.url ?? "").toLowerCase().split(":");
    client.on("error", () => client.destroy());
    const isServer = isEmulatorHost(host) && hostPort === String(serverPort);
    if (!isServer && !(isAzureHost(host) && hostPort === "443")) {
      client.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      return;
    }
    const server = connect(serverPort, loopback, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      server.write(head);
      server.pipe(client).pipe(server);
    });
    for (const [end, other] of [[client, server] as const, [server, client] as const]) {
      tunnels.add(end);
      end.on("close", () => {
        tunnels.delete(end);
        other.destroy();
      });
    }
    server.on("error", () => server.destroy());
  });
  return {
    port: await listenOn(server, port, address),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const end of tunnels) end.destroy();
        server.closeAllConnections();
      }),
  };
}

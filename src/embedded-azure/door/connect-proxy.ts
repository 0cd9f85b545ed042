/** A plain HTTP proxy for unmodified clients: CONNECT to one of Azure's hosts goes to the door, to anything else nowhere. */
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { isAzureHost } from "./azure-hosts.js";
import type { OpenPort } from "./https-door.js";
import { listenOnLoopback } from "./listen.js";

export async function openConnectProxy(doorPort: number, port: number): Promise<OpenPort> {
  const tunnels = new Set<Duplex>();
  const server = createServer((_, outgoing) =>
    outgoing.writeHead(403, { "content-type": "text/plain" }).end("This proxy only tunnels to Azure.\n"),
  );
  server.on("connect", (request, client: Socket, head) => {
    const [host = "", hostPort] = (request.url ?? "").toLowerCase().split(":");
    client.on("error", () => client.destroy());
    if (!isAzureHost(host) || hostPort !== "443") {
      client.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      return;
    }
    const door = connect(doorPort, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      door.write(head);
      door.pipe(client).pipe(door);
    });
    for (const [end, other] of [[client, door] as const, [door, client] as const]) {
      tunnels.add(end);
      end.on("close", () => {
        tunnels.delete(end);
        other.destroy();
      });
    }
    door.on("error", () => door.destroy());
  });
  return {
    port: await listenOnLoopback(server, port),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const end of tunnels) end.destroy();
        server.closeAllConnections();
      }),
  };
}

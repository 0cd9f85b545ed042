/** Connects a Node client on this machine to the server under Azure's real hostnames, with TLS verified. */
import { Agent } from "node:https";
import { createSecureContext } from "node:tls";

/** Connects to the server for every host; the server must prove the host's name with a certificate of its own authority. */
export function agentFor(server: { readonly port: number; readonly ca: string }): Agent {
  // One context for all connections: otherwise each reads the certificate again.
  const agent = new Agent({ keepAlive: true, secureContext: createSecureContext({ ca: server.ca }) });
  const dial = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) =>
    dial({ ...options, host: "127.0.0.1", port: server.port, servername: options.servername ?? options.host ?? "" }, callback);
  return agent;
}

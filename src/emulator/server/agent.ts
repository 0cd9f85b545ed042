/** How a Node client in this machine reaches the door by Azure's real host names, TLS verified. */
import { Agent } from "node:https";

/** Dials the door whatever host is asked for; the server must prove that host's name by a certificate of the door's authority. */
export function agentFor(server: { readonly port: number; readonly ca: string }): Agent {
  const agent = new Agent({ keepAlive: true, ca: server.ca });
  const dial = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) =>
    dial({ ...options, host: "127.0.0.1", port: server.port, servername: options.servername ?? options.host ?? "" }, callback);
  return agent;
}

/** One way to one Azure: where it answers, who asks, at what pace. */
import type { Agent } from "node:https";
import type { CloudProfile } from "./cloud.js";
import type { SharedCredential } from "./credential.js";
import type { Pace } from "./pace.js";

export interface Connection {
  readonly cloud: CloudProfile;
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly credential: SharedCredential;
  /** Set for the embedded Azure only: dials its door under Azure's own host names. */
  readonly agent?: Agent;
  readonly pace: Pace;
  readonly userAgent: string;
  /** The step on whose behalf a request is sent, where there is one: it is told of waits, and its signal ends the request. */
  readonly current: () => { readonly signal: AbortSignal; note(text: string): void } | undefined;
}

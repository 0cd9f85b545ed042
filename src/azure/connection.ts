/** What clients need to connect: the cloud, the credential and the transport. */
import type { CloudProfile } from "./cloud.js";
import type { SharedCredential } from "./shared-credential.js";
import type { Transport } from "./transport.js";

export interface Connection extends Transport {
  readonly cloud: CloudProfile;
  readonly tenantId: string;
  /** Empty only for callers that inspect an account without a subscription. */
  readonly subscriptionId: string;
  /** Where it comes from, if nothing of this run names it. */
  readonly subscriptionFrom?: "az";
  readonly credential: SharedCredential;
  readonly userAgent: string;
}

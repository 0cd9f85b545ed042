/** What the clients are opened with: which Azure, whose sign-in, and the way there. */
import type { CloudProfile } from "./cloud.js";
import type { SharedCredential } from "./shared-credential.js";
import type { Transport } from "./transport.js";

export interface Connection extends Transport {
  readonly cloud: CloudProfile;
  readonly tenantId: string;
  /** Empty only for who looks at an account before anything is said of it. */
  readonly subscriptionId: string;
  readonly credential: SharedCredential;
  readonly userAgent: string;
}

/** Checks of the TLS certificate of an ingress: valid, for the right hostnames, and renewed in time. */
import type { KeyVaultCertificateWithPolicy } from "@azure/keyvault-certificates";
import { advise } from "../../errors/advice.js";
import type { Step } from "../../engine/step.js";
import type { LiveCertificate } from "../../steps/vault-certificate.js";
import { uncovered } from "../steps/ingress-certificate.js";
import { plural } from "../../text/plural.js";
import { failed, passed, type Finding } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import { fromDecision } from "../../verify/from-plan.js";
import { liveOf } from "../../verify/planned-step.js";
import { decided, type ResourceLinks } from "../../verify/planned-resources.js";
import { aksChecks } from "./checks.js";
import type { AksSnapshot } from "./snapshot.js";
import { rfc3339 } from "../../text/rfc3339.js";

const dayMs = 86_400_000;
/** The vault renews after 80 % of a year, so this few days show that it could not. */
const soonDays = 30;

/** In the order of the report; the first one passes if the certificate can be used at all. */
export function certificateChecks(
  snapshot: AksSnapshot,
  step: Step<unknown>,
  vault: ResourceLinks,
): readonly [CheckInstance, ...CheckInstance[]] {
  const subject = step.title;
  const valid = checkInstance(aksChecks["certificate-valid"], subject, { vault: vault.exists }, () => checkValid(snapshot, step));
  const names = checkInstance(aksChecks["certificate-hostnames"], subject, { valid }, ({ valid: certificate }) =>
    checkNames(snapshot, certificate),
  );
  const expiry = checkInstance(aksChecks["certificate-expiry"], subject, { valid }, ({ valid: certificate }) =>
    checkExpiry(snapshot, certificate),
  );
  const asWanted = checkInstance(aksChecks["certificate-as-wanted"], subject, { valid, names }, () => {
    const planned = decided(snapshot, step);
    if ("passed" in planned) return planned;
    const { act } = planned.decision;
    if (act === "keep") return passed("as its create wants it");
    return act === "use" ? passed("used unchanged: it belongs to others") : fromDecision(planned.decision, snapshot.create);
  });
  return [valid, names, expiry, asWanted];
}

function checkValid(snapshot: AksSnapshot, step: Step<unknown>): Finding<KeyVaultCertificateWithPolicy> {
  const planned = decided(snapshot, step);
  if ("passed" in planned) return planned;
  const { create, now } = snapshot;
  const issues = advise`${create} issues a new version`;
  const { certificate, deleted, pending } = planned.live === undefined ? {} : liveOf<LiveCertificate>(planned);
  if (certificate === undefined) {
    if (deleted !== undefined) return failed("it is soft-deleted, so no gateway can mount it", advise`${create} recovers it`);
    if (pending === true)
      return failed("its issuer has not signed it yet", "verify again when the issuer has signed it; the vault shows its state");
    return fromDecision(planned.decision, create);
  }
  const { enabled, notBefore, expiresOn } = certificate.properties;
  if (enabled === false) return failed("it is disabled, so no gateway can mount it", issues);
  if (expiresOn !== undefined && expiresOn <= now()) return failed(`it expired on ${rfc3339(expiresOn)}`, issues);
  if (notBefore !== undefined && notBefore > now())
    return failed(`it is valid from ${rfc3339(notBefore)} only`, "check the clock of this machine, and verify again then");
  return passed(`valid until ${expiresOn ? rfc3339(expiresOn) : "an unknown date"}`, certificate);
}

function checkNames({ spec, create }: AksSnapshot, { cer }: KeyVaultCertificateWithPolicy): Finding<undefined> {
  const hostnames = spec.ingress?.certificate?.hostnames ?? [];
  const missing = uncovered(cer, hostnames);
  if (missing.length === 0) return passed(hostnames.join(", "));
  return failed(`it is not for ${missing.join(", ")}: clients refuse to connect`, advise`${create} issues a new version for them`);
}

function checkExpiry({ now }: AksSnapshot, { properties: { expiresOn } }: KeyVaultCertificateWithPolicy): Finding<undefined> {
  if (expiresOn === undefined) return passed("it has no end");
  const days = Math.floor((expiresOn.getTime() - now().getTime()) / dayMs);
  if (days > soonDays) return passed(plural(days, "day"));
  return failed(
    `it expires in ${plural(days, "day")}, and its vault has not renewed it`,
    "read the state of the certificate in the vault: its issuer may have refused the renewal, or its policy does not renew it",
  );
}

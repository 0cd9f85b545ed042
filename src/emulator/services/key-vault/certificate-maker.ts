/** Makes certificates in the background, so that answers do not wait. */
import type { EmulatorRandom, ClockAndRandom } from "../../common/random.js";
import type { CertificateOrder, MadeCertificate } from "../../state/vault-content.js";
import { plainCopy } from "../../state/plain-copy.js";
import type { CertificatePolicy } from "./certificate-policy.js";
import { makeCertificate } from "./make-certificate.js";

/** A client that polls is answered in this time, whatever is being made. */
const pollMs = 500;

export interface CertificateMaker {
  /** Undefined while it is being made, which the first call starts. */
  take(name: string, order: CertificateOrder): MadeCertificate | undefined;
  /** Waits until nothing is being made for certificates with the name, or for the time of a poll. */
  finished(name: string, isPoll: boolean): Promise<void>;
}

interface Making {
  readonly name: string;
  readonly ended: Promise<void>;
  made?: MadeCertificate;
  isTaken: boolean;
}

/** Belongs to one process and state. Another process makes again what this one has not finished. */
export function certificateMaker({ clock, random }: ClockAndRandom): CertificateMaker {
  const makings = new Map<string, Making>();
  return {
    take(name, order) {
      const key = keyOf(order);
      let making = makings.get(key);
      if (making === undefined) {
        for (const [old, { isTaken }] of makings) if (isTaken) makings.delete(old);
        making = start(name, order, random);
        makings.set(key, making);
      }
      if (making.made !== undefined) making.isTaken = true;
      return making.made;
    },
    async finished(name, isPoll) {
      const ended = Promise.all([...makings.values()].filter((making) => making.name === name).map((making) => making.ended));
      const answered = new AbortController();
      await (isPoll ? Promise.race([ended, clock.sleep(pollMs, answered.signal)]).finally(() => answered.abort()) : ended);
    },
  };
}

const keyOf = ({ version, at }: CertificateOrder): string => `${version} ${String(at)}`;

function start(name: string, order: CertificateOrder, random: EmulatorRandom): Making {
  // It outlives the transaction that the order is part of. Keys are finished in any order, so the serial number comes first.
  const ended = make(plainCopy(order), random.bytes(15)).then((made) => {
    making.made = made;
  });
  const making: Making = { name, ended, isTaken: false };
  return making;
}

async function make({ key, at, authority, policy }: CertificateOrder, serial: Buffer): Promise<MadeCertificate> {
  try {
    return await makeCertificate(policy as CertificatePolicy, key, { serial, at, authority });
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

/** Checks of this machine: the Node.js version and the clock. */
import { advise, shell } from "../errors/advice.js";
import { failed, passed, notChecked, type Finding } from "../verify/check.js";
import { checkInstance, type CheckInstance } from "../verify/check-instance.js";
import type { Account } from "./account.js";
import { doctorChecks } from "./checks.js";
import type { Machine } from "./request.js";

const subject = "machine";

/** Entra accepts an assertion signed within five minutes of its own time: https://learn.microsoft.com/entra/identity-platform/certificate-credentials. */
const refusedMs = 5 * 60_000;
const noticedMs = 60_000;

export function machineCheckInstances(machine: Machine, account: CheckInstance<Account>): CheckInstance[] {
  const clock = checkInstance(doctorChecks.clock, subject, { account }, ({ account: read }) => checkClock(read));
  return [
    checkInstance(doctorChecks["node-version"], subject, {}, () => checkNode(machine)),
    clock,
    checkInstance(doctorChecks["clock-drift"], subject, { account, clock }, ({ account: read }) => checkDrift(read)),
  ];
}

/** `wanted` has the form ">=20.19", as in package.json. */
export function checkNode({ nodeVersion: version, requiredNodeVersion: wanted }: Machine): Finding<undefined> {
  const [major = 0, minor = 0] = numbersIn(version);
  const [leastMajor = 0, leastMinor = 0] = numbersIn(wanted);
  const enough = major > leastMajor || (major === leastMajor && minor >= leastMinor);
  return enough
    ? passed(`Node.js ${version}`)
    : failed(`Node.js ${version}, but ${wanted} is required`, "install a newer Node.js: https://nodejs.org/en/download");
}

function numbersIn(text: string): number[] {
  return (text.match(/\d+/g) ?? []).map(Number);
}

export function checkClock({ skewMs }: Account): Finding<undefined> {
  return checkSkew(skewMs, refusedMs);
}

export function checkDrift({ skewMs }: Account): Finding<undefined> {
  return checkSkew(skewMs, noticedMs);
}

function checkSkew(skewMs: number | undefined, most: number): Finding<undefined> {
  if (skewMs === undefined) return notChecked("Azure's response has no date");
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  const skew = seconds === 0 ? "in sync with Azure's" : `${String(seconds)} s ${skewMs > 0 ? "ahead of" : "behind"} Azure's`;
  return Math.abs(skewMs) < most
    ? passed(`the clock is ${skew}`)
    : failed(
        `the clock is ${skew}`,
        advise`set the clock: ${shell`timedatectl set-ntp true`}; ${shell`timedatectl status`} shows whether it is synchronized`,
      );
}

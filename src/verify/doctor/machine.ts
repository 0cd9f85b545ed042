/** Checks of the machine that would make everything: its Node and its clock. */
import { advise, shell } from "../../errors/advice.js";
import { broken, holds, notChecked, type Finding } from "../check.js";
import { checkInstance, type CheckInstance } from "../check-instance.js";
import type { Account } from "./account.js";
import { doctorChecks } from "./checks.js";
import type { Machine } from "./request.js";

const subject = "machine";

/** Entra takes an assertion that is signed five minutes from its own time: https://learn.microsoft.com/entra/identity-platform/certificate-credentials. */
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

/** `wanted` is of the form ">=20.19", the only one that our package has. */
export function checkNode({ nodeVersion: version, nodeWanted: wanted }: Machine): Finding<undefined> {
  const [major = 0, minor = 0] = numbersIn(version);
  const [leastMajor = 0, leastMinor = 0] = numbersIn(wanted);
  const enough = major > leastMajor || (major === leastMajor && minor >= leastMinor);
  return enough
    ? holds(`Node ${version}`)
    : broken(`Node ${version}, and ${wanted} is needed`, "install a newer Node: https://nodejs.org/en/download");
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
  if (skewMs === undefined) return notChecked("Azure's answer had no date");
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  const told = seconds === 0 ? "as Azure's" : `${String(seconds)} s ${skewMs > 0 ? "ahead of" : "behind"} Azure's`;
  return Math.abs(skewMs) < most
    ? holds(`the clock is ${told}`)
    : broken(
        `the clock is ${told}`,
        advise`set the clock: ${shell`timedatectl set-ntp true`}; ${shell`timedatectl status`} shows whether it is synchronized`,
      );
}

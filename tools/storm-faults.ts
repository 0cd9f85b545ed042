/** The faults of a storm: which requests of a run fail, and how. The seed determines both, so a storm can be repeated. */
import { createHash } from "node:crypto";

/** One entry of the file that `ARO_HCP_LOCAL_FAULTS` names. */
type FaultRule = Readonly<Record<string, unknown>>;

/** Of all requests, sign-in included. */
const share = 0.2;
/** More than any run sends. */
const requests = 4000;

const page = "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>";
const html = { "content-type": "text/html" };
const json = { "content-type": "application/json" };

/** Draws a number from 0 to 1. */
type Draw = () => number;

/** A kind of fault, and how often it is drawn: its weight in relation to all others. */
interface Kind {
  readonly weight: number;
  readonly rule: (draw: Draw) => FaultRule;
}

const refusal = (status: number, code: string, headers = {}): FaultRule => ({
  answer: { status, headers, body: { error: { code, message: `The storm answers ${code}.` } } },
});

const success = (answer: FaultRule): FaultRule => ({ answer: { status: 200, ...answer } });

const kinds: readonly Kind[] = [
  { weight: 10, rule: (draw) => refusal(429, "TooManyRequests", { "retry-after": String(1 + Math.floor(draw() * 20)) }) },
  { weight: 10, rule: () => refusal(429, "TooManyRequests") },
  { weight: 10, rule: () => refusal(500, "InternalServerError") },
  { weight: 10, rule: () => ({ answer: { status: 502, headers: html, body: page } }) },
  { weight: 10, rule: () => refusal(503, "ServiceUnavailable") },
  { weight: 10, rule: () => ({ reset: true }) },
  { weight: 10, rule: () => ({ reset: true, when: "after" }) },
  { weight: 5, rule: (draw) => ({ cut: either(draw, "reset", "fin") }) },
  { weight: 5, rule: (draw) => ({ cut: either(draw, "reset", "fin"), chunked: true }) },
  { weight: 10, rule: (draw) => ({ cut: either(draw, "reset", "fin"), gzip: true }) },
  { weight: 4, rule: () => success({}) },
  { weight: 4, rule: () => success({ headers: json, body: {} }) },
  { weight: 2, rule: () => success({ headers: json, body: null }) },
  { weight: 2, rule: () => success({ headers: html, body: page }) },
  { weight: 4, rule: () => success({ headers: json, base64: Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x22, 0x80]).toString("base64") }) },
  { weight: 10, rule: (draw) => ({ delay: 1 + Math.floor(draw() * 20) }) },
  // Few, because the client waits for its time limit, which does not follow the time scale.
  { weight: 1, rule: (draw) => ({ hang: true, when: either(draw, "before", "after") }) },
];
/** Only a write of Resource Manager meets another operation; the same request as a read is not changed. */
const anotherOperation = { methods: ["PUT", "PATCH", "DELETE"], host: "management.azure.com" };
const wholeWeight = kinds.reduce((sum, { weight }) => sum + weight, 10);

/** `run` distinguishes the runs of one seed. */
export function stormFaults(seed: number, run: string): FaultRule[] {
  return Array.from({ length: requests }, (_, index) => index + 1).flatMap((request) => {
    const draw = drawing(`${String(seed)} ${run} ${String(request)}`);
    if (draw() >= share) return [];
    let drawn = draw() * wholeWeight;
    const kind = kinds.find(({ weight }) => (drawn -= weight) < 0);
    if (kind !== undefined) return [{ request, ...kind.rule(draw) }];
    const { methods, host } = anotherOperation;
    return methods.map((method) => ({ request, method, host, ...refusal(409, "AnotherOperationInProgress") }));
  });
}

/** A hash of the text, four bytes at a time: the faults of a request do not depend on those of the others. */
function drawing(text: string): Draw {
  const bytes = createHash("sha256").update(text).digest();
  let at = 0;
  return () => {
    const drawn = bytes.readUInt32BE(at) / 2 ** 32;
    at += 4;
    return drawn;
  };
}

const either = <T>(draw: Draw, one: T, other: T): T => (draw() < 0.5 ? one : other);

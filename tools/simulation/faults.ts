/** The faults of a storm: which requests of a run fail, and how. The seed determines both, so a storm can be repeated. */
import type { FaultRule } from "../../src/emulator/core/fault-rules.js";
import { randomFrom, type Fraction } from "./random.js";

/** Of all requests, sign-in included. */
const share = 0.2;
/** More than any run sends. */
const requests = 4000;

const page = "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>";
const html = { "content-type": "text/html" };
const json = { "content-type": "application/json" };

const once = { times: 1, when: "before" } as const;

/** What happens to a request. */
type Effect = Partial<FaultRule>;

/** A kind of fault. The weights of all kinds determine how often each occurs. */
interface Kind {
  readonly weight: number;
  readonly rule: (random: Fraction) => Effect;
}

const refusal = (status: number, code: string, headers = {}): Effect => ({
  answer: { status, headers, body: { error: { code, message: `The storm answers ${code}.` } } },
});

const success = (answer: Partial<NonNullable<Effect["answer"]>>): Effect => ({ answer: { status: 200, headers: {}, ...answer } });

const kinds: readonly Kind[] = [
  { weight: 10, rule: (random) => refusal(429, "TooManyRequests", { "retry-after": String(1 + Math.floor(random() * 20)) }) },
  { weight: 10, rule: () => refusal(429, "TooManyRequests") },
  { weight: 10, rule: () => refusal(500, "InternalServerError") },
  { weight: 10, rule: () => ({ answer: { status: 502, headers: html, body: page } }) },
  { weight: 10, rule: () => refusal(503, "ServiceUnavailable") },
  { weight: 10, rule: () => ({ reset: true }) },
  { weight: 10, rule: () => ({ reset: true, when: "after" }) },
  { weight: 5, rule: (random) => ({ cut: either(random, "reset", "fin") }) },
  { weight: 5, rule: (random) => ({ cut: either(random, "reset", "fin"), chunked: true }) },
  { weight: 10, rule: (random) => ({ cut: either(random, "reset", "fin"), gzip: true }) },
  { weight: 4, rule: () => success({}) },
  { weight: 4, rule: () => success({ headers: json, body: {} }) },
  { weight: 2, rule: () => success({ headers: json, body: null }) },
  { weight: 2, rule: () => success({ headers: html, body: page }) },
  { weight: 4, rule: () => success({ headers: json, body: Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x22, 0x80]) }) },
  { weight: 10, rule: (random) => ({ delay: 1 + Math.floor(random() * 20) }) },
  // Few, because the client waits for its time limit, which does not follow the time scale.
  { weight: 1, rule: (random) => ({ hang: true, when: either(random, "before", "after") }) },
];
/** Only a write of Resource Manager meets another operation; the same request as a read is not changed. */
const anotherOperation = { methods: ["PUT", "PATCH", "DELETE"], host: "management.azure.com" } as const;
const wholeWeight = kinds.reduce((sum, { weight }) => sum + weight, 10);

/** The faults of one run of a seed. */
export function stormFaults(seed: string, run: string): readonly FaultRule[] {
  const random = randomFrom(`faults ${seed} ${run}`);
  return Array.from({ length: requests }, (_, index) => index + 1).flatMap((request): FaultRule[] => {
    if (random() >= share) return [];
    let left = random() * wholeWeight;
    const kind = kinds.find(({ weight }) => (left -= weight) < 0);
    if (kind !== undefined) return [{ request, ...once, ...kind.rule(random) }];
    const { methods, host } = anotherOperation;
    return methods.map((method) => ({ request, method, host, ...once, ...refusal(409, "AnotherOperationInProgress") }));
  });
}

const either = <T>(random: Fraction, one: T, other: T): T => (random() < 0.5 ? one : other);

/** As a file of rules has it: the bytes of an answer in base64. */
export function inFile(rule: FaultRule): unknown {
  const { answer } = rule;
  if (!Buffer.isBuffer(answer?.body)) return rule;
  const { body, ...others } = answer;
  return { ...rule, answer: { ...others, base64: body.toString("base64") } };
}

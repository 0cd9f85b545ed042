/**
 * Time and chance of the libraries, which ask Node.js for them: while a simulation runs, they get those of its schedule. Keys and compression do
 * not use threads, because threads end in any order.
 */
import crypto, { type KeyObject } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { promisify } from "node:util";
import zlib from "node:zlib";
import type { Random } from "../../src/azure/random.js";
import { countWebCrypto } from "./quiet.js";
import { epoch, type Schedule } from "./schedule.js";

export interface Simulated {
  readonly schedule: Schedule;
  readonly random: Random;
  /** The run that the code at hand belongs to. */
  run(): string;
}

export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

let current: Simulated | undefined;

/** Undefined ends it. */
export function simulate(simulated: Simulated | undefined): void {
  current = simulated;
}

/** For this process, once. `keys` are given out in turn. */
export function installGlobals(keys: readonly KeyPair[]): void {
  replaceTime();
  replaceChance();
  replaceKeys(keys);
  replaceCompression();
  countWebCrypto();
  syncBuiltinESMExports();
}

function replaceTime(): void {
  const RealDate = Date;
  const real = { now: Date.now, elapsed: performance.now.bind(performance), setTimeout, clearTimeout, timeout: AbortSignal.timeout };
  const now = () => (current === undefined ? real.now() : epoch + current.schedule.nowMs);
  globalThis.Date = class extends RealDate {
    constructor(...args: readonly unknown[]) {
      super(...((args.length === 0 ? [now()] : args) as [number]));
    }
    static override now(): number {
      return now();
    }
  } as DateConstructor;
  performance.now = () => (current === undefined ? real.elapsed() : current.schedule.nowMs);

  const stops = new WeakMap<object, AbortController>();
  const virtualTimeout = (work: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    if (current === undefined) return real.setTimeout(work, ms, ...args);
    const stop = new AbortController();
    const timer = { ref: () => timer, unref: () => timer, hasRef: () => true, refresh: () => timer, [Symbol.toPrimitive]: () => 0 };
    stops.set(timer, stop);
    current.schedule
      .clockOf(current.run())
      .sleep(ms, stop.signal)
      .then(
        () => work(...args),
        () => undefined,
      );
    return timer;
  };
  const virtualClear = (timer: unknown) => {
    const stop = typeof timer === "object" && timer !== null ? stops.get(timer) : undefined;
    if (stop === undefined) real.clearTimeout(timer as NodeJS.Timeout);
    else stop.abort();
  };
  Object.assign(globalThis, { setTimeout: virtualTimeout, clearTimeout: virtualClear });
  AbortSignal.timeout = (ms) => {
    if (current === undefined) return real.timeout(ms);
    const controller = new AbortController();
    void current.schedule
      .clockOf(current.run())
      .sleep(ms)
      .then(() => controller.abort(new DOMException("The operation timed out", "TimeoutError")));
    return controller.signal;
  };
  // They only redraw a view, or keep a process alive.
  const realInterval = setInterval;
  Object.assign(globalThis, { setInterval: (...args: Parameters<typeof setInterval>) => realInterval(...args).unref() });
}

function replaceChance(): void {
  const real = { fraction: Math.random, bytes: crypto.randomBytes, uuid: crypto.randomUUID, int: crypto.randomInt };
  const uuid = () => (current === undefined ? real.uuid() : (current.random.uuid() as ReturnType<typeof real.uuid>));
  Math.random = () => (current === undefined ? real.fraction() : current.random.fraction());
  Object.defineProperty(globalThis.crypto, "randomUUID", { value: uuid });
  Object.assign(crypto, {
    randomUUID: uuid,
    randomBytes: (count: number, done?: (error: null, bytes: Buffer) => void) => {
      const bytes = current === undefined ? real.bytes(count) : current.random.bytes(count);
      done?.(null, bytes);
      return bytes;
    },
    randomInt: (least: number, limit: number) =>
      current === undefined ? real.int(least, limit) : least + Math.floor(current.random.fraction() * (limit - least)),
  });
}

interface Wanted {
  readonly modulusLength?: number;
  readonly publicKeyEncoding?: object;
  readonly privateKeyEncoding?: object;
}

function replaceKeys(keys: readonly KeyPair[]): void {
  const real = { now: crypto.generateKeyPairSync as (type: string, options: object) => KeyPair };
  let next = 0;
  const now = (type: string, options: Wanted) => {
    const fitting = keys.filter(({ privateKey }) => privateKey.asymmetricKeyDetails?.modulusLength === options.modulusLength);
    const pair = fitting[next++ % fitting.length];
    if (type !== "rsa" || pair === undefined) return real.now(type, options);
    const as = (key: KeyObject, encoding: object | undefined) => (encoding === undefined ? key : key.export(encoding as { format: "jwk" }));
    return { publicKey: as(pair.publicKey, options.publicKeyEncoding), privateKey: as(pair.privateKey, options.privateKeyEncoding) };
  };
  const later = (type: string, options: Wanted) => Promise.resolve(now(type, options));
  Object.assign(crypto, {
    generateKeyPairSync: now,
    generateKeyPair: Object.assign(() => undefined, { [promisify.custom]: later }),
  });
}

function replaceCompression(): void {
  const at = (sync: (body: Buffer, options: object) => Buffer) => ({
    [promisify.custom]: async (body: Buffer, options: object) => Promise.resolve(sync(body, options)),
  });
  Object.assign(zlib, {
    gunzip: Object.assign(() => undefined, at(zlib.gunzipSync)),
    inflate: Object.assign(() => undefined, at(zlib.inflateSync)),
    brotliDecompress: Object.assign(() => undefined, at(zlib.brotliDecompressSync)),
  });
}

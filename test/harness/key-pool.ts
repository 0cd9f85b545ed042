/**
 * Reuses RSA keys in this process, because creating them takes most of the CPU time of a test that creates identities.
 * Node.js creates the first few of each size; then they are reused in turn. Certificates and consecutive keys still differ.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import crypto, { type KeyObject } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { promisify } from "node:util";
import { onTestFinished, TestRunner } from "vitest";

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

interface Wanted {
  readonly modulusLength: number;
  readonly publicKeyEncoding?: object;
  readonly privateKeyEncoding?: object;
}

interface Pool {
  readonly pairs: Pair[];
  next: number;
}

type Pools = Map<number, Pool>;

type Create = (type: string, options: object) => Pair;

interface Shared {
  readonly pools: Pools;
  /** Of `unpooledKeyPair`: those that no test has now, by their length. */
  readonly free: Map<number, Pair[]>;
  readonly outlivesTest: AsyncLocalStorage<true>;
  /** Node's own function. */
  readonly createNow: Create;
}

/** More keys than a set has identities, so that its keys differ, before and after a rotation. Only issuers use long keys. */
const sizeOf = (modulusLength: number): number => (modulusLength > 2048 ? 2 : 20);

/** Stored on the global object, because each test file evaluates this module again in the same process. */
const place = Symbol.for("aro-hcp key pool");
const shared: Shared = ((globalThis as { [place]?: Shared })[place] ??= install(new Map()));

/** Set while something is made that outlives the test, which keeps its keys. */
export const { outlivesTest } = shared;

/**
 * A key that nothing else has until the test ends; outside of a test, for good. A pooled one comes back after some others, so tests that
 * compare two keys would sometimes compare one.
 */
export function unpooledKeyPair(modulusLength: number): Pair {
  if (TestRunner.getCurrentTest() === undefined || outlivesTest.getStore()) return shared.createNow("rsa", { modulusLength });
  const free = shared.free.get(modulusLength) ?? [];
  shared.free.set(modulusLength, free);
  const pair = free.pop() ?? shared.createNow("rsa", { modulusLength });
  onTestFinished(() => void free.push(pair));
  return pair;
}

/** Makes keys wait, as on a busy computer, until the returned function is called. */
export function holdKeys(): () => void {
  const whole = crypto.generateKeyPair;
  const later = promisify(whole) as (type: string, options: object) => Promise<unknown>;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const held = async (type: string, options: object) => {
    await released;
    return later(type, options);
  };
  Object.assign(crypto, { generateKeyPair: Object.assign(() => undefined, { [promisify.custom]: held }) });
  syncBuiltinESMExports();
  return () => {
    Object.assign(crypto, { generateKeyPair: whole });
    syncBuiltinESMExports();
    release();
  };
}

/** Clears the pool, for a test of key generation itself. */
export function forgetKeys(): void {
  shared.pools.clear();
}

function install(pools: Pools): Shared {
  const createNow = crypto.generateKeyPairSync as Create;
  const makeLater = promisify(crypto.generateKeyPair) as (type: string, options: object) => Promise<Pair>;

  /** The next pair; undefined until the pool is full. */
  const pooled = (modulusLength: number): { readonly pool: Pool; readonly pair: Pair | undefined } => {
    const pool = pools.get(modulusLength) ?? { pairs: [], next: 0 };
    pools.set(modulusLength, pool);
    const size = sizeOf(modulusLength);
    return { pool, pair: pool.pairs.length < size ? undefined : pool.pairs[pool.next++ % size] };
  };
  const kept = (pool: Pool, pair: Pair): Pair => {
    pool.pairs.push(pair);
    return pair;
  };

  const later = async (type: string, options: Wanted) => {
    if (type !== "rsa") return makeLater(type, options);
    const { modulusLength } = options;
    const { pool, pair } = pooled(modulusLength);
    return encoded(pair ?? kept(pool, await makeLater(type, { modulusLength })), options);
  };
  const now = (type: string, options: Wanted) => {
    if (type !== "rsa") return createNow(type, options);
    const { modulusLength } = options;
    const { pool, pair } = pooled(modulusLength);
    return encoded(pair ?? kept(pool, createNow(type, { modulusLength })), options);
  };
  const onlyPromised = () => {
    throw new Error("tests support only the promise form of generateKeyPair");
  };
  Object.assign(crypto, {
    generateKeyPairSync: now,
    generateKeyPair: Object.assign(onlyPromised, { [promisify.custom]: later }),
  });
  syncBuiltinESMExports();
  return { pools, free: new Map(), outlivesTest: new AsyncLocalStorage(), createNow };
}

function encoded({ publicKey, privateKey }: Pair, { publicKeyEncoding, privateKeyEncoding }: Wanted) {
  const as = (key: KeyObject, encoding: object | undefined) => (encoding === undefined ? key : key.export(encoding as { format: "jwk" }));
  return { publicKey: as(publicKey, publicKeyEncoding), privateKey: as(privateKey, privateKeyEncoding) };
}

/** Randomness in the emulator: seeded durations and IDs. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleUuid, durationSampler, quantile, latencyProfile } from "../../src/emulator/state/sampling.js";
import { freshState } from "../../src/emulator/state/seed.js";

test("every spread of the profile rises from its minimum to its maximum", () => {
  for (const [key, [min, typical, p90, max]] of Object.entries(latencyProfile)) {
    expect(min <= typical && typical <= p90 && p90 <= max, key).toBe(true);
  }
});

test("half of all samples are below the typical duration, nine in ten below the p90, none outside", () => {
  const spread = [1, 2, 5, 20] as const;
  expect([0, 0.5, 0.9, 1].map((p) => Math.round(quantile(spread, p) * 1e6) / 1e6)).toEqual([1, 2, 5, 20]);
  fc.assert(
    fc.property(fc.integer(), fc.string(), (seed, request) => {
      const sampled = durationSampler(seed, "recorded", request)("vnet.put");
      const [min, , , max] = latencyProfile["vnet.put"] ?? [0, 0, 0, 0];
      expect(sampled).toBeGreaterThanOrEqual(min);
      expect(sampled).toBeLessThanOrEqual(max);
    }),
  );
});

test("the same seed and request give the same samples, another seed or request does not", () => {
  const three = (seed: number, request: string): number[] => {
    const sample = durationSampler(seed, "recorded", request);
    return [sample("read"), sample("read"), sample("vnet.put")];
  };
  expect(three(1, "PUT /a")).toEqual(three(1, "PUT /a"));
  expect(three(1, "PUT /a")).not.toEqual(three(2, "PUT /a"));
  expect(three(1, "PUT /a")).not.toEqual(three(1, "PUT /b"));
  expect(new Set(three(1, "PUT /a")).size).toBe(3);
});

test("without latency everything takes no time, but an unknown key is still an error", () => {
  const sample = durationSampler(1, "none", "PUT /a");
  expect(sample("privateDnsZone.put")).toBe(0);
  expect(() => sample("no.such")).toThrow(/no.such/);
});

test("IDs are version-4 UUIDs, unique in a state, and the same in another state with the same seed", () => {
  const sample = (): string[] => {
    const state = freshState("secret");
    return Array.from({ length: 200 }, () => sampleUuid(state));
  };
  const ids = sample();
  expect(new Set(ids).size).toBe(200);
  expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(true);
  expect(sample()).toEqual(ids);
});

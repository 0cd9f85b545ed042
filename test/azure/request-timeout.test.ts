/** How long a request may wait for its response, and what the error says when this computer is the cause. */
import { createHttpHeaders, createPipelineRequest, type PipelineResponse } from "@azure/core-rest-pipeline";
import { expect, test } from "vitest";
import { busyReason } from "../../src/azure/busy-computer.js";
import { scaledClock } from "../../src/azure/clock.js";
import { requestTimeoutPolicy, responseLimitMs } from "../../src/azure/request-timeout.js";
import { testEmulator } from "../harness/test-emulator.js";
import { create } from "../faults/fault-runs.js";

test.each([
  [1, 100_000],
  [0.5, 200_000],
  [15, 60_000],
  [1000, 60_000],
])("on a clock %d times as fast as Azure's, the limit is %d ms of real time, which a busy computer needs", (timeScale, ms) => {
  expect(responseLimitMs({ clock: scaledClock(timeScale) })).toBe(ms);
  expect(responseLimitMs({ clock: scaledClock(timeScale), responseLimitMs: 5_000 })).toBe(5_000);
});

test("a program that could not run says that this computer is busy", async () => {
  const policy = requestTimeoutPolicy({ clock: scaledClock(1), responseLimitMs: 400 });
  const next = ({ abortSignal }: { abortSignal?: unknown }) =>
    new Promise<PipelineResponse>((_, reject) => {
      (abortSignal as AbortSignal).addEventListener("abort", () => reject(new Error("aborted")));
      // As a computer that gives the processor to others from the first moment on.
      setTimeout(() => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
      }, 0);
    });
  const request = createPipelineRequest({ url: "https://management.azure.com/", headers: createHttpHeaders() });
  await expect(policy.sendRequest(request, next)).rejects.toMatchObject({
    code: "ETIMEDOUT",
    message: expect.stringMatching(/^no response within 0 s; this computer is busy: aro-hcp could not run for [1-9]\d* s of/) as string,
  });
});

test("a program that could run says nothing about this computer, unless its load is high", () => {
  expect(busyReason(0, 60_000, { load: 1, processors: 2 })).toBeUndefined();
  expect(busyReason(2_000, 60_000, { load: 4, processors: 2 })).toBeUndefined();
  expect(busyReason(2_000, 60_000, { load: 25.8, processors: 2 })).toBe("this computer is busy: load average 26 on 2 processors");
  expect(busyReason(31_000, 60_000, { load: 0, processors: 2 })).toBe("this computer is busy: aro-hcp could not run for 31 s of them");
});

test("a connection that hangs is given up after the limit that the environment sets, and the request is retried", async () => {
  const azure = await testEmulator();
  const { code, stderr } = await azure.cli([...create, "--dry-run", "--debug"], {
    faults: [{ method: "GET", path: "/dnszones$", hang: true }],
    env: { ARO_HCP_LOCAL_RESPONSE_LIMIT: "1" },
  });
  expect(code, stderr).toBe(0);
  expect(stderr).toMatch(/debug: GET \S+dnszones\S* \S+, \d+ ms/);
});

test.each(["0", "-1", "soon", "1000000"])("the limit %s is refused", async (limit) => {
  const azure = await testEmulator();
  const { code, stderr } = await azure.cli([...create, "--dry-run"], { env: { ARO_HCP_LOCAL_RESPONSE_LIMIT: limit } });
  expect(code).toBe(2);
  expect(stderr).toContain("ARO_HCP_LOCAL_RESPONSE_LIMIT is");
});

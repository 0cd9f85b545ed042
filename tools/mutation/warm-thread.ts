/** The thread of mutation tests outlives a run: loading the SDKs for each mutant would take most of the time. Our own modules load again. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { ThreadsPoolWorker, type PoolOptions, type PoolWorker, type WorkerRequest } from "vitest/node";

type Listener = (argument: unknown) => void;

/** Each run leaves a listener in the thread. */
const runsOfThread = 100;

let kept: { readonly thread: ThreadsPoolWorker; runs: number } | undefined;

async function threadOf(options: PoolOptions): Promise<ThreadsPoolWorker> {
  if (kept !== undefined && kept.runs >= runsOfThread) {
    await kept.thread.stop();
    kept = undefined;
  }
  if (kept === undefined) {
    const thread = new ThreadsPoolWorker(options);
    await thread.start();
    kept = { thread, runs: 0 };
  }
  kept.runs += 1;
  return kept.thread;
}

const ours = ["src", "test", "tools"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => path.resolve(folder, file)),
);

/** One run in the kept thread. */
function warmRun(options: PoolOptions): PoolWorker {
  let thread: ThreadsPoolWorker | undefined;
  const listeners: (readonly [event: string, listener: Listener])[] = [];
  const answer = (response: object) => {
    for (const [event, listener] of listeners) if (event === "message") listener(response);
  };
  return {
    name: "warm-thread",
    async start() {
      thread = await threadOf(options);
    },
    on(event, listener) {
      listeners.push([event, listener]);
      thread?.on(event, listener);
    },
    off: (event, listener) => thread?.off(event, listener),
    send(message: WorkerRequest) {
      if (!("type" in message)) thread?.send(message);
      else if (message.type === "run") thread?.send({ ...message, context: { ...message.context, invalidates: ours } });
      // The thread would close itself.
      else if (message.type === "stop") answer({ type: "stopped", __vitest_worker_response__: true });
      else thread?.send(message);
    },
    async stop() {
      for (const [event, listener] of listeners) thread?.off(event, listener);
    },
    deserialize: (data) => data,
  };
}

export const warmThread = { name: "warm-thread", createPoolWorker: warmRun };

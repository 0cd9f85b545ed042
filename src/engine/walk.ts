/** The only scheduler: visits each node of a graph after the nodes that it needs, several nodes at once. */
import { Failure } from "../errors/failure.js";
import { buildGraph, longestChains, type GraphNode } from "./graph.js";
import { failureOf, type ToFailure } from "./failure-of.js";

/** How a node ended. Every node has exactly one outcome; times are those of the given clock. */
export type Outcome<R> =
  | { readonly status: "done"; readonly value: R; readonly startedMs: number; readonly endedMs: number }
  | { readonly status: "failed"; readonly failure: Failure; readonly startedMs: number; readonly endedMs: number }
  /** Was running when the walk was aborted, and stopped because of that. */
  | { readonly status: "interrupted"; readonly startedMs: number; readonly endedMs: number }
  /** Never started: these nodes failed, and it needs them, directly or indirectly. */
  | { readonly status: "skipped"; readonly because: readonly string[] }
  /** Never started: the walk was aborted before. */
  | { readonly status: "cancelled" };

export interface WalkNode extends GraphNode {
  /** For people; the failure of a visit names it. */
  readonly title: string;
  /** It starts after all that it needs have ended, with whatever outcome, also after an abort. */
  readonly isLast?: true | undefined;
}

/** `results` has the result of every needed node, and of others that have ended. */
export type Visit<N, R> = (node: N, results: ReadonlyMap<string, R>) => Promise<R>;

export interface WalkOptions<N, R> {
  /** How many visits run at once, at least 1. */
  readonly concurrency: number;
  /** After an abort nothing starts but last nodes; running visits are awaited. */
  readonly signal: AbortSignal;
  /** Milliseconds of any clock. */
  readonly elapsedMs: () => number;
  readonly toFailure?: ToFailure | undefined;
  /** Called for each node as it ends. If it throws, nothing more starts, and the walk rejects with that error after all visits ended. */
  readonly onEnd?: (node: N, outcome: Outcome<R>) => void;
}

/**
 * Of the ready nodes, the one with the longest remaining chain starts first, then the one given first.
 * A visit that throws is a failed node: its dependents are skipped, everything else continues.
 * Rejects only for an invalid graph, an invalid `concurrency`, and an `onEnd` that throws.
 */
export async function walk<N extends WalkNode, R>(
  nodes: readonly N[],
  visit: Visit<N, R>,
  options: WalkOptions<N, R>,
): Promise<ReadonlyMap<string, Outcome<R>>> {
  const { concurrency, signal, elapsedMs, toFailure, onEnd } = options;
  if (!(concurrency >= 1)) throw new Failure("ARO-BUG-001", `the concurrency must be at least 1, not ${concurrency}`);
  const graph = buildGraph(nodes);
  const chains = longestChains(graph);
  const byPriority = nodes.toSorted((a, b) => (chains.get(b.id) ?? 0) - (chains.get(a.id) ?? 0));
  const outcomes = new Map<string, Outcome<R>>();
  const results = new Map<string, R>();
  const running = new Map<string, Promise<void>>();
  const listenerErrors: unknown[] = [];

  const end = (node: N, outcome: Outcome<R>): void => {
    running.delete(node.id);
    outcomes.set(node.id, outcome);
    if (outcome.status === "done") results.set(node.id, outcome.value);
    try {
      onEnd?.(node, outcome);
    } catch (error) {
      listenerErrors.push(error);
    }
  };

  const start = (node: N): void => {
    const startedMs = elapsedMs();
    // Async because a visit may throw before it returns a promise.
    const visited = (async () => visit(node, results))();
    const ended = visited.then(
      (value) => end(node, { status: "done", value, startedMs, endedMs: elapsedMs() }),
      (error: unknown) => {
        const times = { startedMs, endedMs: elapsedMs() };
        if (isAbort(error, signal)) end(node, { status: "interrupted", ...times });
        else end(node, { status: "failed", failure: failureOf(error, node.title, toFailure), ...times });
      },
    );
    running.set(node.id, ended);
  };

  const startReady = (): void => {
    for (const node of byPriority) {
      if (listenerErrors.length > 0 || running.size >= concurrency) return;
      const isPending = !outcomes.has(node.id) && !running.has(node.id);
      const isReady = node.isLast
        ? node.needs.every((need) => outcomes.has(need))
        : !signal.aborted && node.needs.every((need) => results.has(need));
      if (isPending && isReady) start(node);
    }
  };

  /** All causes are known only after all needs have ended; `last` is set when nothing will run any more. */
  const endBlockedNodes = (last: boolean): void => {
    for (const node of graph.order) {
      if (outcomes.has(node.id) || running.has(node.id) || (node.isLast && listenerErrors.length === 0)) continue;
      const because = causes(node, outcomes);
      const known = last || node.needs.every((need) => outcomes.has(need));
      if (known && because.length > 0) end(node, { status: "skipped", because });
      else if (last) end(node, { status: "cancelled" });
    }
  };

  const run = async (): Promise<void> => {
    for (startReady(); running.size > 0; startReady()) {
      await Promise.race(running.values());
      endBlockedNodes(false);
    }
    endBlockedNodes(true);
  };
  await run();
  // Of a walk that was aborted, or whose last nodes need nodes that never started.
  await run();
  if (listenerErrors.length > 0) throw listenerErrors[0];
  return outcomes;
}

function causes<R>(node: GraphNode, outcomes: ReadonlyMap<string, Outcome<R>>): string[] {
  const failed = node.needs.flatMap((need) => {
    const outcome = outcomes.get(need);
    if (outcome?.status === "failed") return [need];
    return outcome?.status === "skipped" ? outcome.because : [];
  });
  return [...new Set(failed)];
}

/** Whether a visit stopped because of the abort, and not because of its own failure; clients wrap the abort error. */
function isAbort(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  // A chain of causes may be a cycle; no client wraps more than a few times.
  for (let at = error, depth = 0; depth < 8; depth += 1) {
    if (at === signal.reason || (at instanceof Error && at.name === "AbortError")) return true;
    if (!(at instanceof Error)) return false;
    at = at.cause;
  }
  return false;
}

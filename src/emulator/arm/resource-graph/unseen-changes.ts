/** Changes that Resource Graph does not see yet: it learns of them some seconds later (knob `resourceGraphLagSeconds`). */
import type { Answer } from "../../core/service.js";
import { membersBefore, rawOf } from "../../state/draft.js";
import type { Unseen } from "../../state/state.js";
import type { ArmCall } from "../resource-type.js";
import { keyOf } from "../resource-id.js";

/** Remembers what `answer` changes, as long as Resource Graph shows it as it was. What a seed document adds takes no time. */
export function rememberUnseen(call: ArmCall, answer: () => Answer): Answer {
  const { state, now } = call;
  const lag = call.milliseconds(state.knobs?.resourceGraphLagSeconds ?? 0);
  if (lag === 0) return answer();
  const before = { resources: membersBefore(state.resources), roleAssignments: membersBefore(state.roleAssignments) };
  const answered = answer();
  const unseen = (state.unseenChanges ??= { resources: {}, roleAssignments: {} });
  const seenAt = now + lag;
  add(unseen.resources, state.resources, before.resources);
  add(unseen.roleAssignments, state.roleAssignments, before.roleAssignments);
  return answered;

  function add<T>(
    into: Record<string, Unseen<T>[]>,
    current: Readonly<Record<string, T>>,
    changed: ReadonlyMap<string, T | undefined>,
  ): void {
    for (const [key, was] of changed) {
      if (JSON.stringify(current[key]) === JSON.stringify(was)) continue;
      const earlier = (into[key] ?? []).filter((one) => one.seenAt > now);
      into[key] = [...earlier, { seenAt, ...(was !== undefined && { was }) }];
    }
  }
}

type Collection = "resources" | "roleAssignments";
type Member<C extends Collection> = ArmCall["state"][C][string];

/** What Resource Graph shows in place of `found`. `belongs` decides about what is no longer there. */
export function seen<C extends Collection>(
  { state, now }: ArmCall,
  collection: C,
  found: readonly Member<C>[],
  belongs: (one: Member<C>) => boolean,
): Member<C>[] {
  const unseen = Object.entries((state.unseenChanges?.[collection] ?? {}) as Record<string, Unseen<Member<C>>[]>).flatMap(([key, all]) => {
    const next = all.find(({ seenAt }) => seenAt > now);
    return next === undefined ? [] : [[key, next.was] as const];
  });
  const past = new Map(unseen);
  return [
    ...found.map(rawOf).filter(({ id }) => !past.has(keyOf(id))),
    ...[...past.values()].flatMap((was) => (was !== undefined && belongs(was) ? [was] : [])),
  ];
}

/** The api-versions of clients that were answered in the shape of another one, in the state. */
import type { AnsweredVersion, AzureState } from "./state.js";

export function countVersion(state: AzureState, { type, version, answeredAs }: AnsweredVersion): void {
  const counted = (state.answeredVersions ??= {});
  const key = `${type} ${version}`;
  counted[key] = { type, version, answeredAs, requests: (counted[key]?.requests ?? 0) + 1 };
}

/** Which progress view a screen gets. */
import { type Clock, systemClock } from "./clock.js";
import { createLiveView } from "./live.js";
import { createPlainView } from "./plain.js";
import type { View } from "./renderer.js";
import type { Screen } from "./screen.js";

export interface RendererOptions {
  readonly screen: Screen;
  readonly clock?: Clock;
}

/** The live view where lines can be redrawn, plain lines elsewhere. */
export function createRenderer({ screen, clock = systemClock }: RendererOptions): View {
  return screen.live ? createLiveView(screen, clock) : createPlainView(screen, clock);
}

/** Consumers of engine events that show or store them. */
import type { Emit } from "../engine/events.js";
import type { Outline } from "./outline.js";
import type { Painted } from "./painted.js";

export interface Renderer {
  readonly emit: Emit;
  /** Shows pending output and releases the screen. Further events are ignored. May be called again. */
  stop(): void;
}

/** A renderer for people that owns the last lines of the screen. */
export interface View extends Renderer {
  /** Called before the run starts: for the counts of its sections and an estimate of its end. */
  expect(outline: Outline): void;
  /** Prints a line of other code above the view's lines, also after `stop`. */
  say(text: Painted): void;
  /** Clears the view's lines until the next event, so that a prompt can use the screen. */
  pause(): void;
}

export function together(renderers: readonly Renderer[]): Renderer {
  return {
    emit(event) {
      for (const renderer of renderers) renderer.emit(event);
    },
    stop() {
      for (const renderer of renderers) renderer.stop();
    },
  };
}

/** A reader of engine events that shows or keeps them. */
import type { Emit } from "../engine/events.js";

export interface Renderer {
  readonly emit: Emit;
  /** Shows what is pending and leaves the screen to others. Further events are ignored. May be called again. */
  stop(): void;
}

/** A renderer for people, on a screen of which it holds the last lines. */
export interface View extends Renderer {
  /** Prints a line of another's above those; the way to speak while the view runs. Works after `stop` too. */
  say(text: string): void;
  /** Clears those lines and draws no more until the next event: a question needs the screen for itself. */
  pause(): void;
}

/** Several readers of the same events. */
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

/** Processes that keep the processors busy, while something else is measured or tested. */
import { spawn } from "node:child_process";

/** The returned function ends them. They also end with this process. */
export function startBusyLoops(count: number): () => void {
  const loops = Array.from({ length: count }, () => spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }));
  const stop = () => loops.forEach((loop) => loop.kill("SIGKILL"));
  process.once("exit", stop);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  return stop;
}

/** Switches off each protection of what others own, and runs the simulation that must notice it: `npm run mutants`. */
import { spawn } from "node:child_process";
import { mutants, type Mutant } from "./simulation/mutants.js";

interface Ended {
  readonly code: number | null;
  readonly text: string;
}

function simulated({ simulation, ...mutant }: Mutant): Promise<Ended> {
  const env = { ...process.env, ARO_HCP_MUTANT: JSON.stringify(mutant) };
  const child = spawn(process.execPath, ["tools/run.mjs", "simulate", ...simulation], { env, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, text })));
}

const wanted = process.argv.slice(2);
for (const mutant of mutants.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const { code, text } = await simulated(mutant);
  // A simulation that could not start has noticed nothing.
  const noticed = code === 0 ? undefined : new RegExp(`FAILED\\n(?:[^]*?)(${mutant.notices})`).exec(text)?.[1];
  if (noticed === undefined) process.exitCode = 1;
  console.log(
    `${mutant.name}: ${noticed === undefined ? `NOT NOTICED, exit code ${String(code)}\n${text.slice(-2000)}` : `noticed: ${noticed}`}`,
  );
}

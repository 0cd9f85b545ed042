/** A program of the name helm, which keeps its release in a file beside it. It calls no cluster. */
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const script = `#!/bin/sh
dir=$(dirname "$0")
env >> "$dir/environment"
case "$1" in
  version) echo v3.19.0 ;;
  list) cat "$dir/release" 2> /dev/null || echo "[]" ;;
  upgrade) echo "$*" >> "$dir/calls"
    if [ -f "$dir/broken" ]; then echo "Error: context deadline exceeded" >&2; exit 1; fi
    echo '[{"name":"azure-arc","status":"deployed","chart":"azure-arc-k8sagents-1.31.4"}]' > "$dir/release" ;;
  uninstall) echo "$*" >> "$dir/calls"; rm -f "$dir/release" ;;
esac
`;

export interface TestHelm {
  /** The variable of the environment with which commands find it, and no other helm. */
  readonly path: string;
  /** The first words of each call that changes the release. */
  calls(): Promise<string[]>;
  /** The lines of `env` in all calls together. */
  environment(): Promise<string[]>;
  /** Every installation fails until it is fixed. */
  break(): Promise<void>;
  fix(): Promise<void>;
  setStatus(status: string): Promise<void>;
}

/** `installed`: whether there is a helm at all. */
export async function testHelm(directory: string, installed = true): Promise<TestHelm> {
  const bin = join(directory, "bin");
  await mkdir(bin);
  if (installed) {
    await writeFile(join(bin, "helm"), script);
    await chmod(join(bin, "helm"), 0o755);
  }
  return {
    path: `${bin}:/usr/bin:/bin`,
    async calls() {
      const lines = (await readFile(join(bin, "calls"), "utf8").catch(() => "")).split("\n");
      return lines.filter((line) => line !== "").map((line) => line.split(" ").slice(0, 3).join(" "));
    },
    environment: async () => (await readFile(join(bin, "environment"), "utf8")).split("\n"),
    break: () => writeFile(join(bin, "broken"), ""),
    fix: () => rm(join(bin, "broken")),
    setStatus: (status) =>
      writeFile(join(bin, "release"), JSON.stringify([{ name: "azure-arc", status, chart: "azure-arc-k8sagents-1.31.4" }])),
  };
}

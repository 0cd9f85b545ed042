import { fork } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { openState } from "../src/emulator/open.js";
const [dir, who] = process.argv.slice(2);
if (who === undefined) {
  const directory = mkdtempSync("/tmp/zz-");
  openState(directory);
  const kids = ["a", "b", "c"].map((each) => new Promise((resolve) => fork(process.argv[1] ?? "", [directory, each]).on("exit", resolve)));
  await Promise.all(kids);
  const list = await openState(directory).transact((state) => ({ value: (state as any).list as string[], commit: false }));
  console.log(list.length, new Set(list).size);
} else {
  const store = openState(dir ?? "");
  for (let n = 0; n < 300; n++) {
    await store.transact(async (state) => {
      await new Promise((r) => setTimeout(r, Math.random() * 2));
      ((state as any).list ??= []).push(`${who}${n}`);
      return { value: undefined, commit: true };
    });
  }
}

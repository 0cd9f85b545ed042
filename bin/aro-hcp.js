#!/usr/bin/env node
// No import stands above this check: an old Node is to say what is needed, not where it stumbled.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major > 20 || (major === 20 && minor >= 19)) {
  const { main, processPort } = await import("../dist/main.js");
  process.exitCode = await main(processPort());
} else {
  console.error(`error: aro-hcp needs Node 20.19 or later; this is Node ${process.versions.node}`);
  process.exitCode = 1;
}

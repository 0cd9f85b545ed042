#!/usr/bin/env node
// No import precedes this check: an old Node must print the version it needs, not a syntax error.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major > 20 || (major === 20 && minor >= 19)) {
  const { main, processPort } = await import("../dist/main.js");
  process.exitCode = await main(processPort());
} else {
  console.error(`error: aro-hcp needs Node 20.19 or later; this is Node ${process.versions.node}`);
  process.exitCode = 1;
}

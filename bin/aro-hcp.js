#!/usr/bin/env node
// Nothing is loaded before this check: an old Node must print the version it needs, not a syntax error.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major > 20 || (major === 20 && minor >= 19)) {
  // A run mostly waits for Azure, so memory is worth more than speed: of a fleet of 100 clusters, a third less.
  require("node:v8").setFlagsFromString("--optimize-for-size");
  const { main, processPort } = require("../dist/main.cjs");
  const port = processPort();
  main(port).then((code) => {
    process.exitCode = code;
    // A connection that a proxy never answers, or a name that DNS never resolves, cannot be ended, and would keep the process for minutes.
    const end = () => {
      if (process.stdout.writableLength + process.stderr.writableLength === 0) port.exit(code);
    };
    setInterval(end, 100).unref();
  });
} else {
  console.error(`error: aro-hcp needs Node 20.19 or later; this is Node ${process.versions.node}`);
  process.exitCode = 1;
}

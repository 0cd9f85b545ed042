/** The drawing in the report of a cluster: its traffic, with each result at the part that it is about. */
import { expect, test } from "vitest";
import { clusterDrawing } from "../../src/aks/commands/verify-cluster.js";
import { factsInFile } from "../../src/aks/inputs/cluster-flow.js";
import type { RenderedResult } from "../../src/run/verification.js";
import { aksClusterOutput, readAksCluster } from "../../src/files/aks-cluster-output.js";
import { createdCluster } from "../aks/files/aks-clusters.js";
import { testEmulator } from "../harness/test-emulator.js";
import { fileOf } from "../identities/cli/identities.js";
import { flowDrawing } from "../../src/render/report/flow-drawing.js";

const result = (check: string, subject: string, state: RenderedResult["state"]): RenderedResult => ({
  check,
  subject,
  state,
  sentence: `${check} is right`,
  severity: "error",
  evidence: state === "failed" ? "<b>10.0.0.1</b> instead" : "as wanted",
  next: state === "failed" ? "`aro-hcp create management-cluster --name mgmt`" : undefined,
});

test("the drawing has rules, addresses with IP tags and ways out; a failed check marks its own part only", async () => {
  const emulator = await testEmulator();
  const file = await fileOf(emulator, "mgmt.json", aksClusterOutput(createdCluster));
  const { input } = await readAksCluster(file, "management-cluster");
  const results = [
    result("ip-tags", "mgmt-outbound-ip", "failed"),
    result("rule", "kas-443-in-internet", "passed"),
    result("oidc-issuer", "management cluster mgmt", "passed"),
  ];
  const { title, flow, found } = clusterDrawing([factsInFile(input)], results);
  expect(title).toBe("Who can reach the cluster, and what it reaches");
  const page = flowDrawing(flow, found);
  const nodeOf = (title: string) =>
    [...page.matchAll(/<g class="node (\w+)"><title>([^<]*)/g)].find(([, , text = ""]) => text.startsWith(title));
  expect(nodeOf("mgmt-outbound-ip")?.[1]).toBe("failed");
  expect(nodeOf("mgmt-outbound-ip")?.[2]).toBe("mgmt-outbound-ip, egress, 20.0.0.7, FirstPartyUsage:/NonProd, FAIL: ip-tags");
  expect(nodeOf("kas-443-in-internet")?.[1]).toBe("passed");
  expect(nodeOf("kas-6443-in-internet")?.[1]).toBe("skipped");
  expect(nodeOf("mgmt, ")?.[1]).toBe("passed");
  // Rules and ways out share rows, so nothing is drawn at the same place.
  const boxes = [...page.matchAll(/<rect x="([\d.]+)" y="([\d.]+)"/g)].map(([, x, y]) => `${x ?? ""} ${y ?? ""}`);
  expect(new Set(boxes).size).toBe(boxes.length);
});

/** Which operation a request is: what recordings, clients and specifications attest. */
import { expect, test } from "vitest";
import { operationOf, operations } from "../../tools/fidelity-operations.js";

const group = "/subscriptions/s/resourceGroups/g";

test.each([
  ["PUT", `${group}/providers/microsoft.network/virtualnetworks/v`, "PUT Microsoft.Network/virtualNetworks"],
  ["GET", `${group}/providers/Microsoft.Network/virtualNetworks/{name}/subnets`, "list Microsoft.Network/virtualNetworks/subnets"],
  ["GET", `${group}/providers/Microsoft.Network/loadBalancers/l/probes/p`, "GET Microsoft.Network/loadBalancers/probes"],
  ["GET", "/subscriptions/s/resourcegroups", "list Microsoft.Resources/resourceGroups"],
  [
    "PUT",
    `${group}/providers/Microsoft.Authorization/roleAssignments/a`,
    "PUT {scope}/providers/Microsoft.Authorization/roleAssignments/{name}",
  ],
  ["GET", `${group}/providers/Microsoft.Web/sites/s`, undefined],
  ["POST", `${group}/providers/Microsoft.Network/virtualNetworks/v`, undefined],
])("%s %s", (method, path, operation) => {
  expect(operationOf(method, path)).toBe(operation);
  if (operation !== undefined) expect(operations).toContain(operation);
});

/** The signed-in principal, as an access token describes it. */
import { expect, test } from "vitest";
import { clouds } from "../../src/azure/cloud.js";
import { signedIn } from "../../src/azure/signed-in.js";

function connectionWith(claims: object): Parameters<typeof signedIn>[0] {
  const token = ["", Buffer.from(JSON.stringify(claims)).toString("base64url"), ""].join(".");
  const credential = { getToken: () => Promise.resolve({ token, expiresOnTimestamp: 0 }), forget: () => undefined };
  return { cloud: clouds.AzurePublicCloud, credential };
}

test.each([
  [
    { idtyp: "user", upn: "jane@example.com", unique_name: "live.com#jane" },
    { principalType: "User", name: "jane@example.com" },
  ],
  [
    { scp: "user_impersonation", unique_name: "live.com#jane@example.com" },
    { principalType: "User", name: "live.com#jane@example.com" },
  ],
  [
    { idtyp: "user", preferred_username: "jane@example.com" },
    { principalType: "User", name: "jane@example.com" },
  ],
  [
    { idtyp: "app", appid: "an-application" },
    { principalType: "ServicePrincipal", clientId: "an-application" },
  ],
])("%j", async (claims, expected) => {
  expect(await signedIn(connectionWith({ oid: "an-object", tid: "a-tenant", ...claims }))).toEqual({
    objectId: "an-object",
    tenantId: "a-tenant",
    ...expected,
  });
});

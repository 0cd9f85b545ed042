/** The checks of `verify identities` on Entra, role assignments, the issuer and the key that encrypts etcd. */
import { entraRows } from "./identity-entra-rows.js";
import { issuerRows } from "./identity-issuer-rows.js";
import { keyRows } from "./identity-key-rows.js";
import { roleRows } from "./identity-role-rows.js";
import { testRows } from "./identity-row-tests.js";

testRows([...keyRows, ...entraRows, ...roleRows, ...issuerRows]);

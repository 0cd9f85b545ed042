/** The documents of issuers: loaded where a schema or the reader of a file is needed. */
import { text, texts } from "../files/results/parts.js";
import { applyResult, removalResult } from "../files/results/changes.js";

const ofNamed = { name: text };

export const results = {
  "create key-pair": applyResult(
    { directory: text },
    { privateKeyFile: text.optional(), publicKeyFile: text.optional(), kid: text.optional() },
  ),
  "create oidc-issuer": applyResult(ofNamed, { issuerURL: text, kids: texts.optional() }),
  "adopt oidc-issuer": applyResult(ofNamed, { adopted: texts, notAdopted: texts }),
  "destroy oidc-issuer": removalResult(ofNamed),
};

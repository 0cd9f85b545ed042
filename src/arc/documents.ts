/** The documents of Azure Arc: loaded where a schema or the reader of a file is needed. */
import { arcSecretsSchema, readArcSecrets } from "./files/arc-secrets-output.js";
import { readDocument } from "../files/read.js";
import { count, text, time } from "../files/results/parts.js";
import { readResult, verificationResult } from "../files/results/reads.js";
import { applyResult, removalResult } from "../files/results/changes.js";
import { z } from "zod";

const isInstalled = z.boolean();

/** The members of `az connectedk8s show` that are always there; the others are null where Azure leaves them out. */
const azConnectedCluster = { id: text, name: text, type: text, location: text };

const connectedClusters = z.array(z.looseObject(azConnectedCluster));

const agentFiles = z
  .object({ values: text, commands: text, chart: z.object({ repository: text, version: text }) })
  .describe("the files for the installation of the agents");

/** The extension as Azure has it; Azure adds members. */
const extension = z.looseObject({ id: text.optional(), name: text.optional(), provisioningState: text.optional() });

const extensions = z.array(extension);

const createdExtension = z.object({ name: text, type: text });

const extensionsWithProblems = z.array(
  extension.extend({
    problems: z.array(z.object({ level: z.enum(["error", "warning"]), code: text, message: text, time: text.optional() })),
  }),
);

const policy = z.object({
  assignments: z.array(
    z.object({ id: text, name: text, displayName: text, scope: text, compliance: z.enum(["compliant", "not-compliant", "not-evaluated"]) }),
  ),
  nonCompliant: count,
  summary: z.enum(["evaluated", "not-evaluated"]),
});

const agentStates = z.array(z.object({ state: text, at: time.describe("when this command first read it") }));

const ofNamed = { name: text };

export const results = {
  "create arc": applyResult(ofNamed, { clusterID: text, agentsInstalled: isInstalled, files: agentFiles.optional() }),
  "wait arc": readResult({
    ...ofNamed,
    clusterID: text,
    state: text,
    states: agentStates,
    agentVersion: text.optional(),
    lastConnectivityTime: text.optional(),
  }),
  "show arc": readResult({ ...azConnectedCluster, extensions: extensions })
    .loose()
    .or(readResult({ connectedClusters: connectedClusters })),
  "verify arc": verificationResult,
  "destroy arc": removalResult(ofNamed),
  "create arc extension": applyResult({ ...ofNamed, extensionName: text }, { extension: createdExtension }),
  "show arc extension": readResult({
    ...ofNamed,
    clusterID: text,
    extensions: extensionsWithProblems,
    policy: policy.optional(),
  }),
  "destroy arc extension": removalResult(ofNamed),
  "create arc secrets": applyResult(ofNamed, { secrets: arcSecretsSchema, credentialFile: text.optional() }),
};

export const files = {
  "arc-secrets": arcSecretsSchema,
};

export const readers = {
  arcSecretsFile: readArcSecrets,
  managementKubeconfig: readDocument,
};

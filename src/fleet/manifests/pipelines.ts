/** A fleet as a workflow of Argo or of a CI system: what is shared, then the shards side by side. */
import { commandLine, mounts, type FleetJobs } from "./fleet-jobs.js";

const place = { fleetFile: "fleet.yaml", outputDir: "fleet" };

function createLine(jobs: FleetJobs, more: readonly string[]): string {
  return commandLine("create", place, ["--run-id", jobs.runId, ...more]);
}

/** https://argo-workflows.readthedocs.io: the ServiceAccount, the ConfigMap and the volume are those of the Jobs. */
export function argoWorkflow(jobs: FleetJobs): object {
  const { name, image, shards, shared } = jobs;
  const at = { fleetFile: `${mounts.fleet}/fleet.yaml`, outputDir: mounts.output };
  const template = (task: string, more: readonly string[], inputs: object = {}) => ({
    ...{ name: task, ...inputs, metadata: { labels: { "azure.workload.identity/use": "true" } } },
    retryStrategy: { limit: 3, expression: "asInt(lastRetry.exitCode) in [1, 130, 143]", backoff: { duration: "30s", factor: 2 } },
    container: {
      ...{ image, command: ["sh", "-c", `exec ${commandLine("create", at, ["--run-id", jobs.runId, ...more])}`] },
      volumeMounts: [
        { name: "fleet", mountPath: mounts.fleet, readOnly: true },
        { name: "output", mountPath: mounts.output },
      ],
    },
  });
  const clusters = { name: "clusters", template: "cluster-shard", arguments: { parameters: [{ name: "shard", value: "{{item}}" }] } };
  return {
    ...{ apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", metadata: { generateName: `${name}-` } },
    spec: {
      ...{ entrypoint: "fleet", serviceAccountName: name },
      volumes: [
        { name: "fleet", configMap: { name } },
        { name: "output", persistentVolumeClaim: { claimName: name } },
      ],
      templates: [
        {
          name: "fleet",
          dag: {
            // One shard stops no other.
            failFast: false,
            tasks: [
              ...(shared.length === 0 ? [] : [{ name: "shared", template: "shared" }]),
              { ...clusters, ...(shared.length > 0 && { depends: "shared" }), withSequence: { start: "1", end: String(shards) } },
            ],
          },
        },
        ...(shared.length === 0 ? [] : [template("shared", shared)]),
        template("cluster-shard", ["--shard", `{{inputs.parameters.shard}}/${String(shards)}`], {
          inputs: { parameters: [{ name: "shard" }] },
        }),
      ],
    },
  };
}

const numbers = (shards: number) => Array.from({ length: shards }, (_, at) => at + 1);

/** The signing keys stay on the runner: only identities.json of each set goes on. */
export function githubWorkflow(jobs: FleetJobs): object {
  const { shared } = jobs;
  const steps = (line: string, more: { readonly before?: readonly object[]; readonly after?: readonly object[] } = {}) => [
    { uses: "actions/checkout@v4" },
    { uses: "openshift/aro-hcp/examples/github-action@v0.1.0" },
    {
      uses: "azure/login@v2",
      with: {
        "client-id": "${{ vars.AZURE_CLIENT_ID }}",
        "tenant-id": "${{ vars.AZURE_TENANT_ID }}",
        "subscription-id": "${{ vars.AZURE_SUBSCRIPTION_ID }}",
      },
    },
    ...(more.before ?? []),
    { run: line, env: { AZURE_SUBSCRIPTION_ID: "${{ vars.AZURE_SUBSCRIPTION_ID }}" } },
    ...(more.after ?? []),
  ];
  // With a file of the root, the artifact keeps the folders.
  const artifact = { name: "identities", path: "fleet.yaml\nfleet/*/identities.json\n" };
  const job = { "runs-on": "ubuntu-latest", permissions: { contents: "read", "id-token": "write" } };
  const download = { uses: "actions/download-artifact@v4", with: { name: artifact.name } };
  return {
    name: jobs.name,
    on: { workflow_dispatch: {} },
    permissions: { contents: "read" },
    concurrency: jobs.name,
    jobs: {
      ...(shared.length > 0 && {
        shared: { ...job, steps: steps(createLine(jobs, shared), { after: [{ uses: "actions/upload-artifact@v4", with: artifact }] }) },
      }),
      clusters: {
        ...job,
        ...(shared.length > 0 && { needs: "shared" }),
        strategy: { "fail-fast": false, matrix: { shard: numbers(jobs.shards) } },
        steps: steps(createLine(jobs, ["--shard", `\${{ matrix.shard }}/${String(jobs.shards)}`]), {
          before: shared.length > 0 ? [download] : [],
        }),
      },
    },
  };
}

/** GitLab counts nodes from 1, as shards do. */
export function gitlabPipeline(jobs: FleetJobs): object {
  const { shared } = jobs;
  const line = createLine(jobs, ["--shard", '"$CI_NODE_INDEX/$CI_NODE_TOTAL"']);
  const login = [
    'export AZURE_FEDERATED_TOKEN_FILE="$CI_PROJECT_DIR.tmp/azure-token"',
    'mkdir -p "$CI_PROJECT_DIR.tmp"',
    `(umask 077 && printf '%s' "$AZURE_ID_TOKEN" > "$AZURE_FEDERATED_TOKEN_FILE")`,
  ];
  return {
    stages: [...(shared.length === 0 ? [] : ["shared"]), "clusters"],
    default: {
      image: { name: jobs.image, entrypoint: [""] },
      id_tokens: { AZURE_ID_TOKEN: { aud: "api://AzureADTokenExchange" } },
      before_script: login,
    },
    ...(shared.length > 0 && {
      shared: {
        stage: "shared",
        resource_group: jobs.name,
        script: [createLine(jobs, shared)],
        artifacts: { paths: ["fleet/*/identities.json"] },
      },
    }),
    clusters: { stage: "clusters", parallel: jobs.shards, script: [line] },
  };
}

/** Azure Pipelines counts positions from 1, as shards do. */
export function azurePipeline(jobs: FleetJobs): object {
  const { shared } = jobs;
  const steps = (line: string, after: readonly object[] = []) => [
    { checkout: "self" },
    { task: "NodeTool@0", inputs: { versionSpec: "24.x" } },
    { script: "npm install --global --no-audit --no-fund aro-hcp@0.1.0", displayName: "Install aro-hcp" },
    {
      task: "AzureCLI@2",
      inputs: { azureSubscription: "azure", scriptType: "bash", scriptLocation: "inlineScript", inlineScript: line },
    },
    ...after,
  ];
  const pool = { vmImage: "ubuntu-latest" };
  const shard = `--shard "$SYSTEM_JOBPOSITIONINPHASE/$SYSTEM_TOTALJOBSINPHASE"`;
  const keep = [
    { script: 'mkdir -p "$(Build.ArtifactStagingDirectory)" && cp --parents fleet/*/identities.json "$(Build.ArtifactStagingDirectory)"' },
    { publish: "$(Build.ArtifactStagingDirectory)", artifact: "identities" },
  ];
  const get = [{ download: "current", artifact: "identities" }, { script: 'cp -R "$(Pipeline.Workspace)/identities/fleet" .' }];
  const [checkout, ...rest] = steps(createLine(jobs, [shard]));
  return {
    trigger: "none",
    jobs: [
      ...(shared.length === 0 ? [] : [{ job: "shared", pool, steps: steps(createLine(jobs, shared), keep) }]),
      {
        ...{ job: "clusters", pool, strategy: { parallel: String(jobs.shards) } },
        ...(shared.length > 0 && { dependsOn: "shared" }),
        steps: [checkout, ...(shared.length > 0 ? get : []), ...rest],
      },
    ],
  };
}

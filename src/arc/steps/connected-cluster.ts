/** The connected cluster in Azure: created with the public key of the onboarding key, which fits or is refused ever after. */
import { putConnectedCluster, readConnectedCluster, type ConnectedClusterBody } from "../connected-clusters.js";
import type { ConnectedCluster, ConnectedClusterProperties } from "../domain/connected-cluster.js";
import type { ClusterPlatform } from "../domain/distribution.js";
import { apiVersionOf, wantedPlatform, type ArcSpec } from "../domain/spec.js";
import { ownershipTags } from "../../domain/ownership.js";
import { quotedTitleOf } from "../../domain/resource-catalogue.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { mergedTags } from "../../domain/tags.js";
import type { Change, Step } from "../../engine/step.js";
import { advise, aroHcp } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { sameText } from "../../text/same-text.js";
import { defineInGroup } from "../../steps/in-group.js";
import { missingTags } from "../../steps/missing-tags.js";
import { decideOwned } from "../../steps/ownership-decision.js";
import type { GroupOutput } from "../../steps/resource-groups.js";
import type { ArcContext } from "./context.js";
import type { OnboardingKey } from "./onboarding-key.js";

type Needs = {
  readonly group: Step<GroupOutput>;
  readonly key: Step<OnboardingKey>;
  readonly providers: Step<unknown>;
};

type Live = ConnectedCluster & { readonly provisioningState?: string };

export interface ConnectedClusterOutput {
  readonly id: string;
  readonly principalId: string | undefined;
  readonly kind: ClusterPlatform;
}

const row = resourceTypes.connectedCluster;

export function connectedCluster({ azure, spec }: ArcContext, needs: Needs): Step<ConnectedClusterOutput> {
  const { subscriptionId, name, owner, location } = spec;
  const apiVersion = apiVersionOf(spec);
  const tags = { ...spec.tags, ...ownershipTags(owner) };
  const body = (publicKey: string | undefined, live?: Live): ConnectedClusterBody => ({
    location: live?.location ?? location,
    tags: mergedTags(live?.tags, tags),
    identity: { type: "SystemAssigned" },
    properties: {
      ...settable(live?.properties),
      ...wantedProperties(spec, live?.properties),
      ...(publicKey !== undefined && { agentPublicKeyCertificate: publicKey }),
    },
  });
  return defineInGroup({
    row,
    names: [name],
    needs,
    async read({ group }): Promise<Live | undefined> {
      const live = await readConnectedCluster(azure, { subscriptionId, groupName: group.name, name }, apiVersion);
      return live && withState(live);
    },
    wanted: ({ key }, id) => ({ id, name, type: row.type, ...body(key.publicKey) }),
    decide: (live, { key }) =>
      decideOwned(live, { row, name, owner, location }, (current) => keyFailure(spec, current, key) ?? differences(spec, current, tags)),
    async apply(live, { key }, id): Promise<Live> {
      return withState(await putConnectedCluster(azure, id, body(key.publicKey, live), apiVersion));
    },
    output: (id, live) => ({ id, principalId: live?.identity?.principalId, kind: wantedPlatform(spec, live?.properties) }),
  });
}

function withState(live: ConnectedCluster): Live {
  const { provisioningState } = live.properties;
  return { ...live, ...(provisioningState !== undefined && { provisioningState }) };
}

function wantedProperties(spec: ArcSpec, live?: ConnectedClusterProperties): ConnectedClusterProperties {
  const { privateLinkScopeId, gatewayId, workloadIdentity, oidcIssuerUrl, agentVersion, agentAutoUpgrade } = spec;
  return {
    ...wantedPlatform(spec, live),
    arcAgentProfile: {
      agentAutoUpgrade: agentAutoUpgrade ? "Enabled" : "Disabled",
      // Azure accepts a version only for agents that it does not upgrade itself.
      ...(agentVersion !== undefined && !agentAutoUpgrade && { desiredAgentVersion: agentVersion }),
    },
    ...(privateLinkScopeId !== undefined && { privateLinkState: "Enabled", privateLinkScopeResourceId: privateLinkScopeId }),
    ...(gatewayId !== undefined && { gateway: { enabled: true, resourceId: gatewayId } }),
    ...(workloadIdentity && {
      oidcIssuerProfile: { enabled: true, ...(oidcIssuerUrl !== undefined && { selfHostedIssuerUrl: oidcIssuerUrl }) },
      securityProfile: { workloadIdentity: { enabled: true } },
    }),
  };
}

/** The properties of a connected cluster that a PUT keeps; the agents report the others. */
function settable(live: ConnectedClusterProperties = {}): ConnectedClusterProperties {
  const { agentPublicKeyCertificate, distributionVersion, azureHybridBenefit, aadProfile, privateLinkState, privateLinkScopeResourceId } =
    live;
  const { gateway, oidcIssuerProfile, securityProfile } = live;
  const kept = {
    agentPublicKeyCertificate,
    distributionVersion,
    azureHybridBenefit,
    aadProfile,
    privateLinkState,
    privateLinkScopeResourceId,
    gateway,
    securityProfile,
    // Azure chooses the issuer that it publishes.
    oidcIssuerProfile: oidcIssuerProfile && { ...oidcIssuerProfile, issuerUrl: undefined },
  };
  return JSON.parse(JSON.stringify(kept)) as ConnectedClusterProperties;
}

/** A key that was only planned fits no cluster that exists. */
function keyFailure({ name }: ArcSpec, { properties }: Live, { path, publicKey }: OnboardingKey): Failure | undefined {
  const live = properties.agentPublicKeyCertificate;
  if (publicKey !== undefined && live === publicKey) return undefined;
  const what = quotedTitleOf(row, name);
  const onboard = advise`or onboard again: ${aroHcp("destroy arc", { name })}, then rerun the command, and install its agents`;
  return publicKey === undefined
    ? new Failure("ARO-ARC-001", `${what} exists, but its onboarding key does not: ${path}`, {
        because: "the agents sign in with that key, and Azure does not accept another one for an existing cluster",
        next: [`restore ${path}, or pass the --output-dir of the original create`, onboard],
      })
    : new Failure("ARO-ARC-001", `${path} is not the onboarding key of ${what}`, {
        because: "its public key differs from agentPublicKeyCertificate, which Azure never changes",
        next: ["pass the --output-dir of the original create", onboard],
      });
}

function differences(
  spec: ArcSpec,
  { identity, properties: live, tags: liveTags }: Live,
  tags: Readonly<Record<string, string>>,
): Change[] {
  const wanted = wantedProperties(spec, live);
  const compared = [
    ["identity.type", identity?.type ?? "None", "SystemAssigned"],
    ["distribution", live.distribution, wanted.distribution],
    ["infrastructure", live.infrastructure, wanted.infrastructure],
    ["arcAgentProfile.agentAutoUpgrade", live.arcAgentProfile?.agentAutoUpgrade ?? "Enabled", wanted.arcAgentProfile?.agentAutoUpgrade],
    ["arcAgentProfile.desiredAgentVersion", live.arcAgentProfile?.desiredAgentVersion, wanted.arcAgentProfile?.desiredAgentVersion],
    ["privateLinkScopeResourceId", live.privateLinkScopeResourceId, wanted.privateLinkScopeResourceId],
    ["gateway.resourceId", live.gateway?.resourceId, wanted.gateway?.resourceId],
    ["oidcIssuerProfile.enabled", live.oidcIssuerProfile?.enabled, wanted.oidcIssuerProfile?.enabled],
    ["oidcIssuerProfile.selfHostedIssuerUrl", live.oidcIssuerProfile?.selfHostedIssuerUrl, wanted.oidcIssuerProfile?.selfHostedIssuerUrl],
    [
      "securityProfile.workloadIdentity.enabled",
      live.securityProfile?.workloadIdentity?.enabled,
      wanted.securityProfile?.workloadIdentity?.enabled,
    ],
  ] as const;
  const changed = compared
    .filter(([, from, to]) => to !== undefined && !sameText(String(from), String(to)))
    .map(([path, from, to]) => ({ path, from, to }));
  return [...changed, ...missingTags(liveTags, tags)];
}

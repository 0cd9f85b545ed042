/** `<hsm>.managedhsm.azure.net`: the keys and the access control of a seeded managed HSM. */
import { callerOf } from "../../arm/authorization-check.js";
import { resourceNamed } from "../../arm/indexes.js";
import { ApiError, type Answer, type Asking, type Call, type Service } from "../../core/service.js";
import { namedIn, setNamed } from "../../common/named.js";
import type { AzureState, StoredResource } from "../../state/state.js";
import type { ManagedHsm } from "../../state/managed-hsm.js";
import { certificateMaker, type CertificateMaker } from "../key-vault/certificate-maker.js";
import { authenticate } from "../key-vault/challenge.js";
import { badParameter, notEmulated } from "../key-vault/errors.js";
import { keyFor } from "../key-vault/key-material.js";
import { hsmType } from "../key-vault/key-store.js";
import { createKey } from "../key-vault/keys.js";
import { routeFor } from "../key-vault/routes.js";
import { checkVersion, objectName } from "../key-vault/service.js";
import { assignmentsIn, authorize, answerAssignments, assignmentRoute } from "./local-role-assignments.js";
import type { ClockAndRandom } from "../../common/random.js";

const suffix = ".managedhsm.azure.net";

export function managedHsmService(clockAndRandom: ClockAndRandom): Service {
  const maker = certificateMaker(clockAndRandom);
  return {
    hosts: (host) => host.endsWith(suffix),
    identify(asking) {
      reachable(asking);
      return authenticate(asking, "https://managedhsm.azure.net");
    },
    prepare: async (request) => (routeFor(request)?.route.handle === createKey ? keyFor(request) : undefined),
    handle: (call) => handle(call, maker),
  };
}

async function handle(call: Call, maker: CertificateMaker): Promise<Answer> {
  const { request, state } = call;
  const hsm = reachable(call);
  const caller = callerOf(call);
  checkVersion(call, "managedhsm.azure.net");
  const held = contentOf(state, hsm);
  const assignment = assignmentRoute(request.path);
  if (assignment !== undefined) return answerAssignments(call, assignment, hsm, held, caller);
  const routed = routeFor(request);
  if (routed === undefined || !/^(?:deleted)?keys$/i.test(request.path[0] ?? "")) {
    throw notEmulated(`${request.method} https://${request.host}/${request.path.join("/")}`);
  }
  const { route, name, version } = routed;
  if (name !== "" && !objectName.test(name)) throw badParameter(`The request URI contains an invalid name: ${name}`);
  authorize(
    assignmentsIn(hsm, held.roleAssignments),
    caller,
    localAction(route.action, request.path),
    name === "" ? "/keys" : `/keys/${name}`,
  );
  return route.handle({ call, vault: hsm, content: held.content, maker, name, version });
}

/** A vault has other names for some of the actions. */
function localAction(action: string, [collection = ""]: readonly string[]): string {
  if (collection.toLowerCase() === "deletedkeys") {
    if (action === "keys/purge/action") return "keys/deletedKeys/delete";
    return `keys/deletedKeys/${action === "keys/recover/action" ? "recover" : "read"}/action`;
  }
  const others: Readonly<Record<string, string>> = {
    "keys/create/action": "keys/create",
    "keys/read": "keys/read/action",
    "keys/update/action": "keys/write/action",
    "keyrotationpolicies/read": "keys/read/action",
    "keyrotationpolicies/write": "keys/write/action",
  };
  return others[action] ?? action;
}

/** The name of a missing HSM does not resolve: a client behind a proxy sees 502. */
function reachable({ state, request }: Asking): StoredResource {
  const name = request.host.slice(0, -suffix.length);
  const hsm = resourceNamed(state, hsmType, name);
  if (hsm !== undefined) return { ...hsm, type: hsmType };
  throw new ApiError(502, "HostNotResolved", `The host name '${request.host}' cannot be resolved: there is no such managed HSM.`);
}

function contentOf(state: AzureState, { name }: StoredResource): ManagedHsm {
  state.managedHsms ??= {};
  const key = name.toLowerCase();
  const held: ManagedHsm = namedIn(state.managedHsms, key) ?? { content: { secrets: {}, certificates: {} }, roleAssignments: [] };
  setNamed(state.managedHsms, key, held);
  return held;
}

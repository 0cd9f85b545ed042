/** Failures that are easy to cause, as printed: a test runs each command on the emulator, beside the cluster of docs/first-run.md. */
import type { FailureCode } from "../src/errors/catalogue.js";

/** A console block; in its output, `...` stands for any lines or for the rest of a line. */
export const examples: Readonly<Partial<Record<FailureCode, string>>> = {
  "ARO-USAGE-001": `$ aro-hcp create infra --name blue --infra-id b1
error: 1 setting cannot be used  [ARO-USAGE-001]
  --base-domain  is required; ...
...`,
  "ARO-FILE-001": `$ aro-hcp show infra --name demo --infra-id x7k2 --base-domain hcp.example.com --azure-creds creds.json
error: cannot read creds.json: no such file or directory (ENOENT)  [ARO-FILE-001]
...`,
  "ARO-FILE-002": `$ echo '{"name":' > infra-cut.json
$ aro-hcp destroy infra --name demo --infra-id x7k2 --infra-json infra-cut.json --yes
error: infra-cut.json:1 is not well-formed JSON: value expected at column 9  [ARO-FILE-002]
...`,
  "ARO-FILE-003": `$ aro-hcp verify infra --infra-json demo/identities.json
error: demo/identities.json is not valid as an output file of create infra  [ARO-FILE-003]
...`,
  "ARO-FILE-004": `$ aro-hcp create infra --name blue --infra-id b1 --base-domain hcp.example.com --location eastus \\
>   --output-file missing/infra.json
error: cannot write missing/infra.json: no such file or directory (ENOENT)  [ARO-FILE-004]
...`,
  "ARO-CHECK-001": `$ aro-hcp create infra --name blue --infra-id b1 --base-domain hcp.example.com --location nowhere --dry-run
...
error: the subscription has no location "nowhere"  [ARO-CHECK-001]
  because  check location: the location exists and offers every resource type that a create needs there
...`,
  "ARO-OWN-002": `$ aro-hcp create infra --name demo --infra-id x7k2 --base-domain hcp.example.com --location westus3
...
error: --location is westus3, but 7 existing resources of this run are in eastus  [ARO-OWN-002]
  because  Azure moves no resource to another location, and a run creates all of its resources in one location
...`,
  "ARO-OWN-006": `$ aro-hcp destroy identities --name demo --yes
error: the identity set "demo" is used by x7k2; nothing was deleted  [ARO-OWN-006]
  because  these clusters have role assignments of its identities, which the removal would delete
...`,
  "ARO-DNS-001": `$ aro-hcp create infra --name blue --infra-id b1 --base-domain hcp.example.org --location eastus --dns-zone-rg-name dns
...
error: public DNS zone "hcp.example.org" not found in resource group "dns"  [ARO-DNS-001]
  because  the cluster's addresses are published in the DNS zone of its base domain
...`,
  "ARO-LOCAL-002": `$ ARO_HCP_LOCAL_LATENCY=fast aro-hcp show infra --name demo --infra-id x7k2 --base-domain hcp.example.com
error: ARO_HCP_LOCAL_LATENCY is "fast"; it must be none or recorded  [ARO-LOCAL-002]
...`,
  "ARO-LOCAL-003": `$ aro-hcp local env
error: no local serve runs for ...
...`,
};

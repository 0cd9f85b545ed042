import { describe, expect, it } from "vitest";
import type { RunResult } from "../../src/engine/run-result.js";
import { Failure } from "../../src/errors/failure.js";
import { failuresText } from "../../src/render/failure-text.js";
import type { PlanRow } from "../../src/render/plan-row.js";
import { planCounts, planText } from "../../src/render/plan-text.js";
import { summaryText } from "../../src/render/summary.js";
import { table } from "../../src/render/table.js";
import { sentence } from "../../src/render/wrapped.js";
import { fakeScreen } from "./fakes.js";
import { loadBalancerFailure } from "./run-events.js";
import { plainAdvice } from "../harness/plain-advice.js";

const { screen } = fakeScreen();
const { screen: ascii } = fakeScreen({ environment: {} });
const { screen: colored } = fakeScreen({ colour: "always" });

const rows: readonly PlanRow[] = [
  { title: "resource group demo", act: "create" },
  { title: "application demo", act: "create", why: "it is soft-deleted, and is recovered" },
  {
    title: "virtual network demo",
    act: "update",
    why: "2 differences",
    changes: [
      { path: "tags.team", from: undefined, to: "core" },
      {
        path: "subnets[default].networkSecurityGroup",
        from: `/subscriptions/${"0".repeat(36)}/resourceGroups/demo/providers/nsg/old`,
        to: null,
      },
    ],
  },
  { title: "private DNS zone demo", act: "wait", why: "Updating" },
  { title: "security group mine", act: "use" },
  { title: "public IP demo", act: "keep" },
  { title: "load balancer demo", act: "refuse", why: "it belongs\u001b[2J to another cluster" },
];

describe("a plan as text", () => {
  it("has a symbol, a verb and a reason for each step, and the counts at the end", () => {
    expect(planText(screen, rows)).toMatchInlineSnapshot(`
      "  + create  resource group demo
        + create  application demo: it is soft-deleted, and is recovered
        ~ update  virtual network demo: 2 differences
                    tags.team: (none) → "core"
                    subnets[default].networkSecurityGroup: "/subscriptions/0000000…000000000/resourceGroups/demo/providers/nsg/old" → (none)
        ~ wait    private DNS zone demo: Updating
        = use     security group mine
        = keep    public IP demo
        ! refuse  load balancer demo: it belongs to another cluster

      2 to create, 1 to update, 1 to wait for, 1 kept, 1 used, 1 refused"
    `);
  });

  it("is ASCII in a locale without UTF-8", () => {
    expect(planText(ascii, rows)).toMatch(/^[\n -~]*$/u);
  });

  it("has the same words with color", () => {
    const text = planText(colored, rows);
    expect(text).toContain("\u001b[32m+ create");
    expect(text.replace(/\u001b\[\d+m/gu, "")).toBe(planText(screen, rows));
  });

  it("reports that there is nothing to do", () => {
    expect(planCounts(rows.filter(({ act }) => act === "keep" || act === "use"))).toBe("nothing to do: 1 kept, 1 used");
    expect(planCounts([])).toBe("nothing to do");
  });

  it("counts the removed and the kept resources", () => {
    const removal: PlanRow[] = [
      { title: "a", act: "remove" },
      { title: "b", act: "remove" },
      { title: "c", act: "keep", why: "it is not ours" },
    ];
    expect(planCounts(removal)).toBe("2 to remove, 1 kept");
    expect(planCounts(removal, { refused: true })).toBe("plan refused: 2 would be removed, 1 kept");
    expect(planCounts([], { refused: true })).toBe("plan refused");
    const cascaded: PlanRow = { title: "d", act: "remove", cascaded: true };
    expect(planCounts([...removal, cascaded])).toBe("2 to remove, 1 to remove with them, 1 kept");
    expect(planCounts([...removal, cascaded], { refused: true })).toBe(
      "plan refused: 2 would be removed, 1 would be removed with them, 1 kept",
    );
  });
});

describe("a failure", () => {
  it("has the message, the reason, the next steps, the progress of the run, and the response of Azure", () => {
    expect(failuresText(screen, [loadBalancerFailure], { renderAdvice: plainAdvice, done: "9 of 14 steps" })).toMatchInlineSnapshot(`
      "error: the load balancer was not created  [ARO-AZURE-001]
        because  Azure refused it
        next     request more quota
        next     rerun the command
        done     9 of 14 steps
        azure    409 QuotaExceeded, request 6f1c, 2026-11-20T12:04:31Z
        more     aro-hcp help ARO-AZURE-001"
    `);
  });

  it("has the default advice of its code if it has no advice", () => {
    expect(failuresText(screen, [new Failure("ARO-AZURE-001", "no")], { renderAdvice: plainAdvice })).toContain(
      "\n  next     rerun the command",
    );
  });

  it("lists all problems in columns", () => {
    const problems = [
      { origin: "--name", message: "is empty" },
      { origin: "cluster.yaml:3", message: "is no CIDR" },
    ];
    const text = failuresText(screen, [new Failure("ARO-USAGE-001", "2 settings cannot be used", { problems })], {
      renderAdvice: plainAdvice,
    });
    expect(text.split("\n").slice(0, 3)).toEqual([
      "error: 2 settings cannot be used  [ARO-USAGE-001]",
      "  --name          is empty",
      "  cluster.yaml:3  is no CIDR",
    ]);
  });

  it("shows a reason that several failures share once, with their number", () => {
    const refusal = (what: string, requestId: string) =>
      new Failure("ARO-SUB-003", `${what} failed`, { because: "no such location", azure: { status: 400, code: "Gone", requestId } });
    const other = new Failure("ARO-SUB-003", "c failed", { because: "no such location", azure: { status: 400, code: "Closed" } });
    const bugs = [new Failure("ARO-BUG-001", "one fault"), new Failure("ARO-BUG-001", "another")];
    const text = failuresText(screen, [refusal("a", "1"), other, refusal("b", "2"), ...bugs], { renderAdvice: plainAdvice });
    expect(text.match(/^(error|  (also|azure)) .*|^error.*/gmu)?.join("\n")).toMatchInlineSnapshot(`
      "error: a failed, and 1 more for the same reason  [ARO-SUB-003]
        also     b
        azure    400 Gone, request 1
      error: c failed  [ARO-SUB-003]
        azure    400 Closed
      error: one fault  [ARO-BUG-001]
      error: another  [ARO-BUG-001]"
    `);
  });

  it("has its stack and that of its cause only with --debug", () => {
    expect(failuresText(screen, [loadBalancerFailure], { renderAdvice: plainAdvice })).not.toContain(" at ");
    const text = failuresText(screen, [loadBalancerFailure], { renderAdvice: plainAdvice, debug: true });
    expect(text).toContain("caused by Error: secret-in-the-cause");
    expect(text).toContain(" at ");
  });

  it("contains no terminal sequence from Azure", () => {
    const failure = new Failure("ARO-AZURE-001", "a\u001b[2Jb", { because: "c\u0007d", azure: { message: "e\u009b1mf" } });
    expect(failuresText(screen, [failure], { renderAdvice: plainAdvice })).toMatch(/^[\n -~]*$/u);
  });
});

const step = (id: string, startedMs: number, endedMs: number, status: "done" | "interrupted" = "done") => ({
  ...{ id, title: `the ${id}`, act: "create" as const, status, resourceId: undefined, needs: [], waitedOn: undefined },
  ...{ startedMs, endedMs },
});

const result: RunResult = {
  ok: true,
  steps: [step("group", 0, 1200), step("nsg", 0, 4000), step("vnet", 4000, 45_000), step("link", 45_000, 45_200)],
  failures: [],
  skipped: [],
  cancelled: [],
  interrupted: [],
  counts: { created: 4, updated: 0, replaced: 0, kept: 2, used: 0, removed: 0, failed: 0, interrupted: 0, skipped: 0, cancelled: 0 },
  elapsedMs: 45_300,
  criticalPath: ["nsg", "vnet", "link"],
};

describe("the summary of a run", () => {
  it("has the result, the slowest chain and the next steps", () => {
    const options = { command: "create infra", subject: "demo-x7k2", result, next: ["aro-hcp show infra"] };
    const written = [
      { path: "demo/infra.json", what: "the infrastructure" },
      { path: "demo/jwks", what: "the public keys" },
    ];
    expect(summaryText(screen, { ...options, written })).toMatchInlineSnapshot(`
      "✓ create infra demo-x7k2 is done in 45s: 4 created, 2 kept
        slowest   the nsg 4.0s → the vnet 41s
        written   demo/infra.json  the infrastructure
                  demo/jwks        the public keys
        next      aro-hcp show infra"
    `);
  });

  it("lists the steps in flight when the run was interrupted", () => {
    const interrupted: RunResult = {
      ...result,
      ok: false,
      steps: [step("vnet", 0, 900, "interrupted")],
      interrupted: ["vnet"],
      counts: { ...result.counts, created: 0, kept: 0, interrupted: 1, cancelled: 3 },
      criticalPath: ["vnet"],
    };
    expect(summaryText(screen, { command: "create infra", subject: "demo-x7k2", result: interrupted })).toMatchInlineSnapshot(`
      "✗ create infra demo-x7k2 did not complete in 45s: 1 interrupted, 3 cancelled
        in flight the vnet (may still complete in Azure)"
    `);
    const ids = ["a", "b", "c", "d", "e"];
    const many = { ...interrupted, steps: ids.map((id) => step(id, 0, 900, "interrupted")), interrupted: ids };
    const text = summaryText(screen, { command: "create infra", subject: "demo-x7k2", result: many });
    expect(text).toContain("in flight the a, the b, the c and 2 more (may still complete in Azure)");
  });
});

describe("a table", () => {
  it("has columns, no boxes, and no trailing spaces", () => {
    const text = table(
      screen,
      ["resource", "state"],
      [
        ["virtual network demo", "ok"],
        ["load\u001b[2J balancer", "missing"],
      ],
    );
    expect(text).toMatchInlineSnapshot(`
      "resource              state
      virtual network demo  ok
      load balancer         missing"
    `);
  });

  it("gives a resource ID lines of its own, and keeps the other rows in columns", () => {
    const id = `/subscriptions/${"0".repeat(36)}/resourceGroups/net/virtualNetworks/net`;
    const rows = [
      ["name", "demo", "--name"],
      ["vnetId", id, "--vnet-id"],
    ];
    expect(table(fakeScreen({ terminal: true, columns: 60 }).screen, ["SETTING", "VALUE", "FROM"], rows)).toMatchInlineSnapshot(`
      "SETTING  VALUE  FROM
      name     demo   --name
      vnetId
          /subscriptions/000000000000000000000000000000000000/resourceGroups/net/virtualNetworks/net
                      --vnet-id"
    `);
  });

  it("is aligned with characters of double width, and in a window that is too narrow for all columns", () => {
    const rows = [
      ["ネットワーク", "ok", "virtual network"],
      ["demo", "missing", "subnet"],
    ];
    expect(table(screen, ["name", "state", "type"], rows)).toMatchInlineSnapshot(`
      "name          state    type
      ネットワーク  ok       virtual network
      demo          missing  subnet"
    `);
    expect(table(fakeScreen({ terminal: true, columns: 24 }).screen, ["name", "state", "type"], rows)).toMatchInlineSnapshot(`
      "name          state
          type
      ネットワーク  ok
          virtual network
      demo          missing
          subnet"
    `);
  });
});

describe("a table in a window that is a little too narrow", () => {
  const head = ["RESOURCE", "STATE", "DRIFT"];
  const zone = ["private DNS zone demo-azurecluster.hcp.example.com", "exists", "none"];

  it("wraps its widest column between words, and the other columns stay beside it", () => {
    const { screen: narrow } = fakeScreen({ terminal: true, columns: 80 });
    expect(table(narrow, head, [["public DNS zone hcp.example.com", "exists, bring-your-own", "none"], zone])).toMatchInlineSnapshot(`
      "RESOURCE                                           STATE                   DRIFT
      public DNS zone hcp.example.com                    exists, bring-your-own  none
      private DNS zone                                   exists                  none
        demo-azurecluster.hcp.example.com"
    `);
  });

  it("wraps a long reason in its own column", () => {
    const { screen: narrow } = fakeScreen({ terminal: true, columns: 80 });
    const reason = 'subnet "default" of the virtual network has the address range 10.0.0.0/24, not 10.0.8.0/24, which cannot be changed';
    expect(table(narrow, head, [["virtual network demo-demo-x7k2", "exists", reason], zone])).toMatchInlineSnapshot(`
      "RESOURCE                             STATE   DRIFT
      virtual network demo-demo-x7k2       exists  subnet "default" of the virtual
                                                     network has the address range
                                                     10.0.0.0/24, not 10.0.8.0/24,
                                                     which cannot be changed
      private DNS zone                     exists  none
        demo-azurecluster.hcp.example.com"
    `);
  });
});

describe("text on a terminal is wrapped between words", () => {
  const failure = new Failure("ARO-USAGE-001", "3 settings cannot be used, each of them for a reason of its own that takes some words", {
    problems: [{ origin: "--vnet-cidr", message: "is a range that overlaps with the pods' of the cluster, which begins at 10.132.0.0" }],
    next: ["`aro-hcp create infra --name demo --infra-id demo-x7k2 --base-domain hcp.example.com` makes what is missing, then look again"],
  });
  const textsOn = (on: typeof screen): readonly (readonly [string, string])[] => [
    [
      "plan",
      planText(on, [
        ...rows,
        {
          title: "role assignment Contributor for cpo on resource group demo-demo-x7k2",
          act: "replace",
          why: "the assignment of this name has a different principal or role",
        },
      ]),
    ],
    ["failure", failuresText(on, [failure], { renderAdvice: plainAdvice })],
    [
      "summary",
      summaryText(on, {
        command: "create infra",
        subject: "demo-x7k2",
        result,
        next: ["key vault kv-demo-319613 can be recovered until 2027-02-18: run the same command again"],
      }),
    ],
    [
      "table",
      table(
        on,
        ["COMPONENT", "CLIENT ID", "SECRET", "EXPIRES"],
        [["nodepool-mgmt", "c1d00000-0000-4000-8000-000000000001", "demo-nodepool-mgmt", "2027-11-20T11:38:34Z"]],
      ),
    ],
  ];
  const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");

  it.each([40, 60, 80, 100, 200])("with %d columns", (columns) => {
    const window = textsOn(fakeScreen({ terminal: true, columns }).screen);
    const pipe = textsOn(screen);
    window.forEach(([what, text], index) => {
      const [, whole = ""] = pipe[index] ?? [];
      expect(words(text).toSorted(), what).toEqual(words(whole).toSorted());
      const wide = text.split("\n").filter((line) => line.length > columns);
      // A command is copied as one line; a value and a name are one word.
      expect(
        wide.filter((line) => !/`.*`|"\/subscriptions\/\S+$|\[[\w-]+\]$/.test(line)),
        what,
      ).toEqual([]);
    });
  });

  it("with the next lines indented below their subject", () => {
    const { screen: narrow } = fakeScreen({ terminal: true, columns: 60 });
    expect(
      textsOn(narrow)
        .map(([, text]) => text)
        .join("\n\n"),
    ).toMatchInlineSnapshot(`
      "    + create   resource group demo
          + create   application demo:
                       it is soft-deleted, and is recovered
          ~ update   virtual network demo: 2 differences
                       tags.team: (none) → "core"
                       subnets[default].networkSecurityGroup: "/subscriptions/0000000…000000000/resourceGroups/demo/providers/nsg/old"
                         → (none)
          ~ wait     private DNS zone demo: Updating
          = use      security group mine
          = keep     public IP demo
          ! refuse   load balancer demo:
                       it belongs to another cluster
        -/+ replace  role assignment Contributor for cpo on
                     resource group demo-demo-x7k2:
                       the assignment of this name has a different
                       principal or role

      2 to create, 1 to update, 1 to replace, 1 to wait for, 1
      kept, 1 used, 1 refused

      error: 3 settings cannot be used, each of them for a reason
             of its own that takes some words [ARO-USAGE-001]
        --vnet-cidr  is a range that overlaps with the pods' of
                     the cluster, which begins at 10.132.0.0
        next     \`aro-hcp create infra --name demo --infra-id demo-x7k2 --base-domain hcp.example.com\`
                 makes what is missing, then look again
        more     aro-hcp help ARO-USAGE-001

      ✓ create infra demo-x7k2 is done in 45s: 4 created, 2 kept
        slowest   the nsg 4.0s → the vnet 41s
        next      key vault kv-demo-319613 can be recovered until
                  2027-02-18: run the same command again

      COMPONENT      CLIENT ID
          SECRET              EXPIRES
      nodepool-mgmt  c1d00000-0000-4000-8000-000000000001
          demo-nodepool-mgmt  2027-11-20T11:38:34Z"
    `);
  });
});

it("notices and warnings are wrapped in a window, and aligned after their label; a layout is not", () => {
  const { screen } = fakeScreen({ terminal: true, columns: 30 });
  expect(sentence(screen, "warning: the cluster keeps its settings of yesterday")).toBe(
    "warning: the cluster keeps its\n         settings of yesterday",
  );
  expect(sentence(screen, "  a plan\n  with two lines")).toBe("  a plan\n  with two lines");
  expect(sentence(fakeScreen().screen, `notice: ${"word ".repeat(40)}end`)).not.toContain("\n");
});

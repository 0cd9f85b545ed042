import { expect, expectTypeOf, test } from "vitest";
import { defineLookup, defineStep, type Step } from "../../src/engine/step.js";

const group = defineStep({
  id: "group",
  title: "the group",
  needs: {},
  read: async (): Promise<{ name: string } | undefined> => undefined,
  decide: () => ({ act: "create", why: "not there" }),
  apply: async () => ({ name: "g" }),
  output: ({ name }) => ({ groupId: `/groups/${name}` }),
});

test("a step knows the IDs of its needs and of its container, whatever names it uses for them", () => {
  const vnet = defineStep({
    id: "vnet",
    title: "the vnet",
    needs: { home: group },
    within: "home",
    read: async (up): Promise<string | undefined> => up.home.groupId,
    decide: () => ({ act: "keep" }),
    apply: async () => "",
    output: (live) => live.length,
  });
  expect(vnet).toMatchObject({ id: "vnet", needs: ["group"], within: "group", resourceId: undefined });
  expectTypeOf(vnet).toEqualTypeOf<Step<number>>();
});

test("an output is typed from where it is made to where it is used", () => {
  defineLookup({
    id: "zone",
    title: "the zone",
    needs: { group },
    read: async (up) => {
      expectTypeOf(up).toEqualTypeOf<{ readonly group: { groupId: string } }>();
      return { zone: 1 };
    },
    decide: (live) => {
      expectTypeOf(live).toEqualTypeOf<{ zone: number } | undefined>();
      return { act: "adopt" };
    },
    output: (live) => live.zone,
  });
});

// Held by the type checker, which asks for an error at each mark. Never called: half of it would throw.
function mistakes(): void {
  const rest = {
    title: "",
    decide: () => ({ act: "keep" }) as const,
    apply: async () => 0,
    output: () => 0,
  };

  defineStep({
    ...rest,
    id: "another",
    needs: { group },
    // @ts-expect-error: an output that is not among the needs
    read: async (up) => Promise.resolve(up.vnet as number),
  });

  // @ts-expect-error: what holds it must be among the needs
  defineStep({ ...rest, id: "held", needs: { group }, within: "vnet", read: async () => 0 });

  // @ts-expect-error: a step cannot need itself
  const own = defineStep({ ...rest, id: "own", needs: { own }, read: async () => 0 });

  // @ts-expect-error: only steps can be needed
  defineStep({ ...rest, id: "loose", needs: { group: "group" }, read: async () => 0 });

  // @ts-expect-error: an act that there is not
  defineStep({ ...rest, id: "odd", needs: {}, read: async () => 0, decide: () => ({ act: "replace" }) });
}

test("needing what is not there, being held by it, needing oneself and unknown acts do not compile", () => {
  expectTypeOf(mistakes).toBeFunction();
});

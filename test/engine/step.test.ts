import { expect, expectTypeOf, test } from "vitest";
import { defineLookup, defineStep, type Step } from "../../src/engine/step.js";

const group = defineStep({
  id: "group",
  title: "the group",
  needs: {},
  read: async (): Promise<{ name: string } | undefined> => undefined,
  decide: () => ({ act: "create", why: "it does not exist" }),
  apply: async () => ({ name: "g" }),
  output: ({ name }) => ({ groupId: `/groups/${name}` }),
});

test("a step has the IDs of its needs and of its container, not the names that it declares for them", () => {
  const vnet = defineStep({
    id: "vnet",
    title: "the vnet",
    needs: { parent: group },
    within: "parent",
    read: async (outputs): Promise<string | undefined> => outputs.parent.groupId,
    decide: () => ({ act: "keep" }),
    apply: async () => "",
    output: (live) => live.length,
  });
  expect(vnet).toMatchObject({ id: "vnet", needs: ["group"], within: "group", resourceId: undefined });
  expectTypeOf(vnet).toEqualTypeOf<Step<number>>();
});

test("the type of an output is known in the steps that need it", () => {
  const zone = defineLookup({
    id: "zone",
    title: "the zone",
    needs: { group },
    read: async (outputs) => {
      expectTypeOf(outputs).toEqualTypeOf<{ readonly group: { groupId: string } }>();
      return { zone: 1 };
    },
    decide: (live) => {
      expectTypeOf(live).toEqualTypeOf<{ zone: number } | undefined>();
      return { act: "use" };
    },
    output: (live) => live.zone,
  });
  expect(zone.needs).toEqual(["group"]);
});

// The type checker requires an error at each mark.
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
    // @ts-expect-error: an output of a step that is not needed
    read: async (outputs) => Promise.resolve(outputs.vnet as number),
  });

  // @ts-expect-error: the container must be one of the needs
  defineStep({ ...rest, id: "held", needs: { group }, within: "vnet", read: async () => 0 });

  // @ts-expect-error: a step cannot need itself
  const own = defineStep({ ...rest, id: "own", needs: { own }, read: async () => 0 });

  // @ts-expect-error: a need must be a step
  defineStep({ ...rest, id: "loose", needs: { group: "group" }, read: async () => 0 });

  // @ts-expect-error: an unknown act
  defineStep({ ...rest, id: "odd", needs: {}, read: async () => 0, decide: () => ({ act: "replace" }) });
}

test("unknown needs and containers, a step that needs itself, and unknown acts do not compile", () => {
  expect(mistakes).toThrow("Cannot access 'own' before initialization");
});

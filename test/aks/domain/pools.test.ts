/** The grammar of agent pools: each mistake has a sentence of its own. */
import { expect, test } from "vitest";
import { readPool, type PoolRole } from "../../../src/aks/domain/pool-option.js";
import { hasLocalDisk } from "../../../src/aks/domain/pool-properties.js";

test("every key is read", () => {
  expect(readPool("name=big,size=Standard_E32ds_v6,min=0,max=10,zones=3/1,pools=4,disk=512,max-pods=110", "user")).toEqual({
    ...{ name: "big", size: "Standard_E32ds_v6", min: 0, max: 10, count: undefined, zones: ["3", "1"], pools: 4, disk: 512, maxPods: 110 },
  });
  expect(readPool("count=3", "system")).toMatchObject({ count: 3, min: undefined });
});

test.each<[PoolRole, string, string]>([
  ["user", "Standard_D8ds_v5", '"Standard_D8ds_v5" is not key=value'],
  ["user", "size=Standard_D8ds_v5,", '"" is not key=value'],
  ["user", "size=a=b", '"size=a=b" is not key=value'],
  ["user", "zone=1", '"zone" is not one of name, size'],
  ["user", "zone=1", 'did you mean "zones"?'],
  ["user", "zones=1,2,3", "separate them with slashes: zones=1/2/3"],
  ["user", "zones=1/4", "is not a list of the zones 1, 2 and 3"],
  ["user", "zones=1-3", "is not a list of the zones 1, 2 and 3"],
  ["user", "zones=1/1", '"zones=1/1" has a zone twice'],
  ["user", "size=", '"size=" has no value'],
  ["user", "min=1, max=3", '" max" is not one of'],
  ["user", "min= 1,max=3", "or spaces around it"],
  ["user", "min=1,min=2,max=3", '"min" is set twice'],
  ["user", "size=D8ds_v5", 'did you mean "size=Standard_D8ds_v5"?'],
  ["user", "size=8 cores", '"size=8 cores" is not the name of a VM size'],
  ["user", "name=Big", "is not the name of a Linux agent pool"],
  ["user", "name=1big", "a letter first"],
  ["user", "name=averylongname", "use at most 12 characters"],
  ["user", "min=one,max=3", '"min=one" is not a whole number'],
  ["user", "min=1,max=1001", '"max=1001" is not between 1 and 1000'],
  ["user", "min=0,max=0", '"max=0" is not between 1 and 1000'],
  ["user", "disk=8", '"disk=8" is not between 30 and 2048'],
  ["user", "max-pods=251", '"max-pods=251" is not between 10 and 250'],
  ["user", "pools=0", '"pools=0" is not between 1 and 9'],
  ["user", "min=4,max=3", '"min=4" is more than "max=3"'],
  ["user", "min=4", '"min=4" needs max too'],
  ["user", "max=4", '"max=4" needs min too'],
  ["user", "count=3,max=4", '"count=3" is a fixed number of nodes'],
  ["user", "zones=1/2/3,pools=2", '"pools=2" is less than the number of zones'],
  ["system", "min=0,max=3", "a system pool needs at least 1 node"],
  ["system", "count=0", "a system pool needs at least 1 node"],
  ["system", "pools=2", "a system pool is one agent pool in all of its zones"],
])("--%s-pool %s is refused", (role, text, problem) => {
  expect(readPool(text, role)).toEqual(expect.stringContaining(problem));
});

test.each([
  ["Standard_D8ds_v5", true],
  ["Standard_E32-16ads_v5", true],
  ["Standard_D4s_v4", false],
  ["Standard_DS2_v2", false],
  ["Standard_E8ds_v6", true],
])("%s has a local disk: %s", (size, expected) => {
  expect(hasLocalDisk(size)).toBe(expected);
});

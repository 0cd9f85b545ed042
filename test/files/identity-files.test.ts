import { afterAll, describe, expect, test } from "vitest";
import { Failure } from "../../src/errors/failure.js";
import { readDataPlaneIdentities, readManagedIdentities, readWorkloadIdentities } from "../../src/files/identity-files.js";
import { combined, controlPlane, dataPlane, workload } from "../identities/cli/identities.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const directory = temporaryDirectory(afterAll);
const reading = { disabledCapabilities: [] };
const save = (value: unknown): string =>
  directory.write("identities", typeof value === "string" ? value : JSON.stringify(value, undefined, 2));

describe("each format is read by its flag", () => {
  test("the inner control-plane object", async () => {
    expect(await readManagedIdentities(save(controlPlane), reading)).toEqual({
      format: "a control-plane identities file",
      identities: { controlPlane },
    });
  });

  test("the documented combined file, passed to either flag", async () => {
    expect(await readManagedIdentities(save(combined), reading)).toMatchObject({
      format: "a combined identities file (controlPlane and dataPlane)",
      identities: combined,
    });
    expect((await readDataPlaneIdentities(save(combined))).identities).toEqual(dataPlane);
  });

  test("the inner data-plane object, also with the unquoted IDs that HyperShift's scripts write", async () => {
    const unquoted = `{\n${Object.entries(dataPlane)
      .map(([key, id]) => `  "${key}": ${id}`)
      .join(",\n")}\n}`;
    expect((await readDataPlaneIdentities(save(dataPlane))).identities).toEqual(dataPlane);
    expect((await readDataPlaneIdentities(save(unquoted))).identities).toEqual(dataPlane);
  });

  test("the workload identities, with and without one for KMS", async () => {
    expect((await readWorkloadIdentities(save(workload), reading)).identities).toEqual(workload);
    const withKms = { ...workload, kmsClientID: dataPlane.diskMSIClientID };
    expect((await readWorkloadIdentities(save(withKms), reading)).identities).toEqual(withKms);
  });
});

test("a missing encoding is utf-8, as in HyperShift's API", async () => {
  const { objectEncoding: _, ...disk } = controlPlane.disk;
  const read = await readManagedIdentities(save({ ...controlPlane, disk }), reading);
  expect(read.identities.controlPlane.disk.objectEncoding).toBe("utf-8");
});

test("the extra keys of HyperShift's scripts are accepted and dropped", async () => {
  const contrib = { ...controlPlane, disk: { ...controlPlane.disk, certificateName: "disk-x" }, velero: { clientID: "x" } };
  expect((await readManagedIdentities(save(contrib), reading)).identities.controlPlane).toEqual(controlPlane);
});

describe("a file passed to the wrong flag is rejected with the detected and the expected format", () => {
  test.each([
    ["data-plane", dataPlane, "a data-plane identities file"],
    ["workload", workload, "a workload identities file"],
    ["credentials", { clientId: "a", clientSecret: "hunter2" }, "an Azure credentials file"],
    ["output", { infraID: "a", vnetID: "b" }, "an output file of create infra"],
    ["unknown object", { hello: 1 }, "not a known identity file"],
    ["list", [controlPlane], "not a known identity file"],
    ["empty object", {}, "not a known identity file"],
    ["text", '"text"', "not a known identity file"],
  ])("%s in place of control-plane identities", async (_, value, seen) => {
    const failure = await failureOf(readManagedIdentities(save(value), reading));
    expect(failure.code).toBe("ARO-FILE-003");
    expect(failure.message).toMatch(new RegExp(`identities:1 is ${seen}$`));
    expect(failure.because).toContain("expected a control-plane identities file, or a combined identities file");
  });

  test("control-plane identities passed to the other two flags", async () => {
    expect((await failureOf(readDataPlaneIdentities(save(controlPlane)))).message).toContain("is a control-plane identities file");
    expect((await failureOf(readWorkloadIdentities(save(controlPlane), reading))).message).toContain("is a control-plane identities file");
    expect((await failureOf(readWorkloadIdentities(save(combined), reading))).message).toContain("is a combined identities file");
  });

  test("a file with a vault is a control-plane file even if an identity lacks the name of its secret", async () => {
    const failure = await failureOf(
      readManagedIdentities(save({ managedIdentitiesKeyVault: controlPlane.managedIdentitiesKeyVault }), reading),
    );
    expect(failure.problems.map(({ message }) => message)).toContainEqual(expect.stringContaining("cloudProvider"));
  });
});

describe("values are checked strictly, each problem with its line", () => {
  const withDisk = (disk: object): unknown => ({ ...controlPlane, disk: { ...controlPlane.disk, ...disk } });

  test.each([
    [withDisk({ clientID: "" }), "disk.clientID: expected a UUID"],
    [withDisk({ clientID: "not-a-uuid" }), "disk.clientID: expected a UUID"],
    [withDisk({ credentialsSecretName: "a_b" }), "disk.credentialsSecretName: expected 1 to 127 letters, digits and hyphens"],
    [withDisk({ credentialsSecretName: "a".repeat(128) }), "disk.credentialsSecretName: expected 1 to 127 letters, digits and hyphens"],
    [withDisk({ objectEncoding: "latin1" }), "disk.objectEncoding"],
    [withDisk({ clientld: "typo" }), "clientld"],
    [{ ...controlPlane, dsk: {} }, "dsk"],
    [{ ...controlPlane, disk: null }, "disk"],
    [
      { ...controlPlane, managedIdentitiesKeyVault: { name: "a--b", tenantID: controlPlane.managedIdentitiesKeyVault.tenantID } },
      "managedIdentitiesKeyVault.name",
    ],
    [{ ...controlPlane, managedIdentitiesKeyVault: { name: "demo-vault", tenantID: "" } }, "managedIdentitiesKeyVault.tenantID"],
  ])("control plane, case %#", async (value, why) => {
    const failure = await failureOf(readManagedIdentities(save(value), reading));
    expect(failure.problems).toEqual([expect.objectContaining({ message: expect.stringContaining(why) as string })]);
  });

  test("a typo in the data plane is rejected before it reaches the hosted cluster", async () => {
    const failure = await failureOf(readDataPlaneIdentities(save({ ...dataPlane, diskMSIClientID: `${dataPlane.diskMSIClientID}0` })));
    expect(failure.problems).toEqual([
      { origin: expect.stringMatching(/identities:3$/) as string, message: "diskMSIClientID: expected a UUID" },
    ]);
  });

  test("a KMS client ID that is not a UUID is rejected", async () => {
    const failure = await failureOf(readWorkloadIdentities(save({ ...workload, kmsClientID: "kms" }), reading));
    expect(failure.problems.map(({ message }) => message)).toEqual(["kmsClientID: expected a UUID"]);
  });

  test("an unknown key is reported with its own line", async () => {
    const failure = await failureOf(readDataPlaneIdentities(save({ ...dataPlane, extra: 1 })));
    expect(failure.problems.map(({ origin }) => origin)).toEqual([expect.stringMatching(/identities:5$/)]);
  });

  test("all problems are reported at once", async () => {
    const failure = await failureOf(readDataPlaneIdentities(save({ diskMSIClientID: 1 })));
    expect(failure.problems).toHaveLength(3);
  });
});

test("the image registry's identity may be missing only if the capability is disabled", async () => {
  const { imageRegistry: _, ...without } = controlPlane;
  const { imageRegistry: __, ...workloadWithout } = workload;
  expect((await failureOf(readManagedIdentities(save(without), reading))).message).toContain('has no identity "imageRegistry"');
  expect((await failureOf(readWorkloadIdentities(save(workloadWithout), reading))).message).toContain('has no identity "imageRegistry"');
  expect((await readManagedIdentities(save(without), { disabledCapabilities: ["ImageRegistry"] })).identities.controlPlane).toEqual(
    without,
  );
});

async function failureOf(read: Promise<unknown>): Promise<Failure> {
  const reason: unknown = await read.catch((error: unknown) => error);
  if (!(reason instanceof Failure)) throw new Error("it was accepted");
  expect(JSON.stringify([reason.message, reason.because, reason.problems])).not.toContain("hunter2");
  return reason;
}

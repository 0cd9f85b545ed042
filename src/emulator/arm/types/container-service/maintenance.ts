/** The maintenance configurations of AKS clusters: when AKS may upgrade the cluster and the images of its nodes. */
import { z } from "zod";
import { keyOf } from "../../resource-id.js";
import { defineType } from "../../resource-type.js";
import { known, oneOf } from "../../body-schema.js";
import { aksVersions, notFound, refusal } from "./provider.js";

const weekDay = oneOf("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday");
const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, "must be a date such as 2026-12-24");
const monthly = { intervalMonths: z.int().min(1).max(6) };

const schedule = known({
  daily: known({ intervalDays: z.int().min(1).max(7) }).optional(),
  weekly: known({ intervalWeeks: z.int().min(1).max(4), dayOfWeek: weekDay }).optional(),
  absoluteMonthly: known({ ...monthly, dayOfMonth: z.int().min(1).max(31) }).optional(),
  relativeMonthly: known({ ...monthly, weekIndex: oneOf("First", "Second", "Third", "Fourth", "Last"), dayOfWeek: weekDay }).optional(),
}).refine((held) => Object.values(held).filter((one) => one !== undefined).length === 1, {
  error: "A maintenance window must have exactly one schedule.",
});

const maintenanceWindow = known({
  schedule,
  durationHours: z.int().min(4).max(24).default(24),
  utcOffset: z
    .string()
    .regex(/^[+-]\d{2}:\d{2}$/, "must be an offset such as +05:30")
    .default("+00:00"),
  startDate: date.optional(),
  startTime: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time such as 22:00"),
  notAllowedDates: z.array(known({ start: date, end: date })).optional(),
});

const body = known(
  {
    properties: known({
      timeInWeek: z.array(known({ day: weekDay, hourSlots: z.array(z.int().min(0).max(23)).min(1) })).optional(),
      notAllowedTime: z.array(known({ start: z.iso.datetime(), end: z.iso.datetime() })).optional(),
      maintenanceWindow: maintenanceWindow.optional(),
    }),
  },
  ["id", "name", "type", "systemData"],
);

/** The weekly releases of AKS, the cluster's upgrades, and those of the node images. */
const names = ["default", "aksManagedAutoUpgradeSchedule", "aksManagedNodeOSUpgradeSchedule"];

export const maintenanceConfigurations = defineType<z.output<typeof body>>({
  name: "Microsoft.ContainerService/managedClusters/maintenanceConfigurations",
  apiVersions: aksVersions.filter((version) => version >= "2021-03-01"),
  versionDifferences: [{ member: "maintenanceWindow", since: "2023-05-01" }],
  verbs: ["read", "write", "delete"],
  kind: "proxy",
  createdStatus: 200,
  withoutType: true,
  namePattern: /^\w+$/,
  nameRule: `It must be ${names.join(", ")}.`,
  body,
  latency: { put: "maintenance.put", delete: "maintenance.put" },
  missingRefusal: (id) => notFound(id, "maintenance configuration"),
  checkPut({ name, body: { properties } }) {
    if (!names.some((one) => keyOf(one) === keyOf(name))) {
      throw refusal(400, "InvalidParameter", `The name of a maintenance configuration must be one of ${names.join(", ")}.`, "name");
    }
    if (properties.maintenanceWindow === undefined && (keyOf(name) !== "default" || (properties.timeInWeek ?? []).length === 0)) {
      throw refusal(400, "NeedAtLeastOneHourPerWeekForUpdate", `Maintenance configuration '${name}' has no window for maintenance.`);
    }
    if (properties.maintenanceWindow !== undefined && properties.timeInWeek !== undefined) {
      throw refusal(400, "InvalidParameter", "A maintenance configuration has either timeInWeek or maintenanceWindow.", "timeInWeek");
    }
  },
  storedProperties: ({ call, body: { properties } }) => {
    const { maintenanceWindow: window } = properties;
    const today = new Date(call.now).toISOString().slice(0, 10);
    return {
      ...withoutEmpty({ timeInWeek: properties.timeInWeek, notAllowedTime: properties.notAllowedTime?.map(inSeconds) }),
      ...(window && { maintenanceWindow: { ...window, startDate: window.startDate ?? today } }),
    };
  },
});

/** AKS answers times without fractions of a second, and no empty lists. */
const inSeconds = ({ start, end }: { readonly start: string; readonly end: string }) => ({ start: plain(start), end: plain(end) });
const plain = (time: string): string => time.replace(/\.\d+/, "");

function withoutEmpty(lists: Readonly<Record<string, readonly unknown[] | undefined>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list !== undefined && list.length > 0));
}

/** Words in names that Azure reserves. */
import type { Check } from "./option-check.js";
import type { SettingKey } from "./settings.js";

// https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-reserved-resource-name
const inside = /microsoft|windows/;
const atStart = /^(?:login|xbox)/;
const whole =
  /^(?:access|azure|bing|bizspark|biztalk|cortana|directx|dotnet|dynamics|excel|exchange|forefront|groove|hololens|hyperv|kinect|lync|msdn|o365|office|office365|onedrive|onenote|outlook|powerpoint|sharepoint|skype|visio|visualstudio)$/;

const names = ["name", "identitiesName", "infraId"] as const satisfies readonly SettingKey[];

/** A notice: Azure refuses such a name only for what has a public address, such as a vault, a storage account or a DNS label. */
export const noticeReservedNames: Check = ({ command, values, notice }) => {
  if (!command.startsWith("create ")) return;
  for (const key of names) {
    const name = values[key];
    const [word] = name === undefined ? [] : (inside.exec(name) ?? atStart.exec(name) ?? whole.exec(name) ?? []);
    if (word !== undefined) {
      notice(
        `the name "${name ?? ""}" has the word "${word}", which Azure reserves: it may refuse resources of that name with ReservedResourceName, so choose another one before the first create`,
      );
    }
  }
};

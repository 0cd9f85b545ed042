/** The options of the emulator's server, as part of the table of options. */
import type { Option } from "../settings/option.js";

export const options = {
  port: {
    key: "port",
    flag: "--port",
    kind: "integer",
    group: "run",
    help: "port of the HTTPS server; default: any free one",
  },
  proxyPort: {
    key: "proxyPort",
    flag: "--proxy-port",
    kind: "integer",
    group: "run",
    help: "port of the CONNECT proxy; default: any free one",
  },
  shell: {
    key: "shell",
    flag: "--shell",
    kind: "choice",
    choices: ["bash", "zsh", "fish", "powershell"],
    group: "output",
    help: "shell that evaluates the lines; default: that of SHELL, otherwise bash",
  },
  proxyAddress: {
    key: "proxyAddress",
    flag: "--proxy-address",
    kind: "choice",
    choices: ["127.0.0.1", "0.0.0.0"],
    group: "run",
    rare: true,
    help: "address that the CONNECT proxy listens on; 0.0.0.0 in a container, whose port others reach",
    default: "127.0.0.1",
  },
} as const satisfies Readonly<Record<string, Option>>;

#!/usr/bin/env node
import { main, processPort } from "../dist/cli/main.js";

process.exitCode = await main(processPort());

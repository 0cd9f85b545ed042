/** Bundles the program into dist (`npm run build`). */
import { build } from "./bundle/build.js";

await build();

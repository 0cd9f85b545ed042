/** `npm run build`: bundles the program into dist. */
import { build } from "./bundle/build.js";

await build();

import { fileURLToPath } from "node:url";
import { relative, sep } from "node:path";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Path of a file from the repository's root, with `/` between its parts; starts with `../` when outside. */
export function placeOf(filename: string): string {
  return relative(ROOT, filename).split(sep).join("/");
}

/** The folder below `src/` that a place lies in, e.g. `run`; undefined when it lies elsewhere. */
export function layerOf(place: string): string | undefined {
  const [top, layer, ...rest] = place.split("/");
  return top === "src" && rest.length > 0 ? layer : undefined;
}

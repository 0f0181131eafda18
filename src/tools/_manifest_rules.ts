import type { Manifest } from "./tool.ts";

/** Faults of a manifest that lie between its fields; each text begins with the field. */
export function ruleFaults(manifest: Manifest): string[] {
  return [...typeFaults(manifest), ...permissionFaults(manifest), ...nameFaults(manifest)];
}

function typeFaults(manifest: Manifest): string[] {
  switch (manifest.tool_type) {
    case "pipeline":
      return manifest.pipeline_steps?.length ? [] : ["pipeline_steps: a pipeline needs at least one step"];
    case "mcp": {
      const server = manifest.mcp_server;
      const ways = Number(server?.command !== undefined) + Number(server?.url !== undefined);
      return ways === 1 ? [] : ["mcp_server: needs either command or url"];
    }
    case "script":
    case "wasm":
      return manifest.lifecycle === "fresh" && manifest.concurrency > 1
        ? ["concurrency: only a persistent tool serves several calls in one process"]
        : [];
    case "knowledge":
      return [];
  }
}

/** A grant that another field takes back. */
function permissionFaults({ permissions, env }: Manifest): string[] {
  const ungiven = permissions?.env?.filter((name) => env !== undefined && !env.includes(name)) ?? [];
  return ungiven.length
    ? [`permissions.env: ${ungiven.join(", ")} is not in env, which lists what it gets`]
    : [];
}

/** Things of one kind that clients tell apart by name. */
function nameFaults(manifest: Manifest): string[] {
  const lists: Record<string, (string | undefined)[]> = {
    prompts: manifest.prompts.map((prompt) => prompt.name),
    resources: manifest.resources.map((resource) => resource.uri),
    resource_templates: manifest.resource_templates.map((resource) => resource.uri_template),
  };
  return Object.entries(lists).flatMap(([field, names]) => {
    const double = names.find((name, index) => names.indexOf(name) !== index);
    return double === undefined ? [] : [`${field}: "${double}" is there twice`];
  });
}

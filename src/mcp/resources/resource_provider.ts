import type { ChangeEvent } from "../../base/bus.ts";
import { SkillzError } from "../../base/errors.ts";
import type { CallContext } from "../../run/call_context.ts";
import type {
  CompletionArgument,
  ResourceContents,
  ResourceListing,
  ResourcesPort,
  TemplateListing,
} from "../ports.ts";

/** One kind of resource. */
export interface ResourceProvider {
  /** Resources with a fixed address, in stable order. */
  list(): readonly ResourceListing[];
  /** Families of resources, in stable order. */
  templates(): readonly TemplateListing[];
  /** The contents; `undefined` when the address is not of this kind. Throws `not_found` for one of this kind that leads nowhere. */
  read(uri: string, ctx: CallContext): Promise<readonly ResourceContents[] | undefined>;
  /** Values for a variable of a template; `undefined` when the template is not of this kind. */
  complete?(uriTemplate: string, argument: CompletionArgument): Promise<readonly string[] | undefined>;
  /** Addresses whose contents an event changed. */
  affected?(event: ChangeEvent): readonly string[];
}

/** All kinds as one; the first provider that knows an address answers it, so of equal ones only that is listed. */
export function createResourcesPort(providers: readonly ResourceProvider[]): ResourcesPort {
  return {
    list: () => firstOf(providers.flatMap((provider) => [...provider.list()]), (one) => one.uri),
    templates: () =>
      firstOf(providers.flatMap((provider) => [...provider.templates()]), (one) => one.uriTemplate),
    async read(uri, ctx) {
      for (const provider of providers) {
        const contents = await provider.read(uri, ctx);
        if (contents) return contents;
      }
      throw unknownResource(uri);
    },
    async complete(uriTemplate, argument) {
      for (const provider of providers) {
        const values = await provider.complete?.(uriTemplate, argument);
        if (values) return values.filter((value) => value.startsWith(argument.value));
      }
      return [];
    },
    affected: (event) => providers.flatMap((provider) => [...provider.affected?.(event) ?? []]),
  };
}

function firstOf<T>(all: readonly T[], keyOf: (one: T) => string): T[] {
  const found = new Map<string, T>();
  for (const one of all) if (!found.has(keyOf(one))) found.set(keyOf(one), one);
  return [...found.values()];
}

/** The error for an address that leads nowhere. */
export function unknownResource(uri: string, reason = "there is no such resource"): SkillzError {
  return new SkillzError("not_found", `Cannot read ${JSON.stringify(uri)}: ${reason}`, {
    hint: "resources/list and resources/templates/list show what there is",
    data: { uri },
  });
}

/**
 * The decoded segments of a `skillz://<kind>/…` address, `undefined` for any other. Segments that could leave their
 * folder (`..`, empty, separators or NUL after decoding) make it an unknown address.
 */
export function skillzSegments(uri: string, kind: string): string[] | undefined {
  const prefix = `skillz://${kind}/`;
  if (!uri.startsWith(prefix)) return undefined;
  const segments: string[] = [];
  for (const raw of uri.slice(prefix.length).split("/")) {
    const segment = decoded(raw, uri);
    if (segment === "" || segment === "." || segment === ".." || /[/\\\0]/.test(segment)) {
      throw unknownResource(uri, "its path is not a plain relative path");
    }
    segments.push(segment);
  }
  return segments;
}

function decoded(segment: string, uri: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw unknownResource(uri, "it is not percent-encoded as it should be");
  }
}

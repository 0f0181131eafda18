import type { Logger } from "../base/log.ts";
import { wait } from "../base/wait.ts";
import type { Config } from "../config/config.ts";
import type { BuiltinTable } from "../mcp/builtin_table.ts";
import type { Ports } from "../mcp/handler_scope.ts";
import { createKnowledgePort } from "../mcp/knowledge_port.ts";
import { createBuiltinPrompts } from "../mcp/prompts/builtin_prompts.ts";
import { createKnowledgePrompts } from "../mcp/prompts/knowledge_prompts.ts";
import { createMadePrompts } from "../mcp/prompts/made_prompts.ts";
import { createPromptsPort } from "../mcp/prompts/prompt_provider.ts";
import { createGuideResources } from "../mcp/resources/guide_resources.ts";
import { createKnowledgeResources } from "../mcp/resources/knowledge_resources.ts";
import { createMadeResources } from "../mcp/resources/made_resources.ts";
import { createMemoryResources } from "../mcp/resources/memory_resources.ts";
import { createResourcesPort } from "../mcp/resources/resource_provider.ts";
import { createResultResources } from "../mcp/resources/result_resources.ts";
import { createSdkResources } from "../mcp/resources/sdk_resources.ts";
import { createSkillResources } from "../mcp/resources/skill_resources.ts";
import { createToolResources } from "../mcp/resources/tool_resources.ts";
import { createShortenedCall } from "../mcp/shortened_call.ts";
import { createToolsPort } from "../mcp/tools_port.ts";
import type { MemoryStore } from "../memory/memory_store.ts";
import { pipelineProblems } from "../run/pipeline/pipeline_problems.ts";
import { parsePolicy } from "../sandbox/policy_parse.ts";
import { profileText } from "../sandbox/policy_text.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { SkillCatalog } from "../skills/catalog.ts";
import type { SkillStore } from "../skills/skill_store.ts";
import type { ToolStore } from "../tools/tool_store.ts";
import { codeTools, knownTool } from "./code_tools.ts";
import type { Run } from "./compose_run.ts";

/** What {@linkcode composePorts} joins. */
export interface PortParts {
  readonly config: Config;
  readonly logger: Logger;
  readonly store: ToolStore;
  readonly memory: MemoryStore;
  readonly sandbox: Sandbox;
  readonly builtins: BuiltinTable;
  readonly catalog: SkillCatalog;
  readonly skills: SkillStore;
  readonly run: Run;
}

/** Longest wait of a first list for skills that are still being read; clients hear of what comes later. */
const MOST_READY_MS = 2_000;

/** What sessions see: tools, prompts, resources, skills. */
export function composePorts(parts: PortParts): Ports {
  const { store, memory, builtins, run } = parts;
  const knowledge = createKnowledgePort(parts.skills);
  const made = { tools: () => store.list(), runRequest: run.runTool };
  const defaultPermissions = profileText(parsePolicy(parts.config.policy).policy.defaultProfile);
  return {
    tools: createToolsPort({
      builtins,
      made: store,
      problems: run.validator.problems,
      call: createShortenedCall({
        call: run.callTool,
        results: run.results,
        logger: parts.logger,
        promisesData: (name) => promisesData(name, parts),
      }),
    }),
    prompts: createPromptsPort([
      createBuiltinPrompts({ tools: store, failures: (name) => run.failures.of(name) }),
      createKnowledgePrompts(parts.skills),
      createMadePrompts(made),
    ]),
    resources: createResourcesPort([
      createGuideResources({
        tools: () => store.list(),
        broken: () => store.broken(),
        problems: (tool) =>
          pipelineProblems(tool, (name) => knownTool(name, { store, listings: () => builtins })),
        skills: () => parts.catalog.list().filter((skill) => skill.kind !== "tool"),
        defaultPermissions,
        sandbox: async () => await parts.sandbox.mode().catch((error) => String(error)),
      }),
      createKnowledgeResources(parts.skills),
      createSkillResources({ skills: knowledge, describe: (path) => knowledge.describe(path) }),
      createToolResources({ builtins, made: store, defaultPermissions }),
      createMemoryResources({ memory, tools: () => store.list() }),
      createSdkResources({ tools: () => codeTools({ store, listings: () => builtins }) }),
      createResultResources({ results: run.results }),
      createMadeResources(made),
    ]),
    skills: knowledge,
    ready: () => wait(MOST_READY_MS, { until: parts.skills.ready() }),
  };
}

/** Built-in tools whose published schema holds for shortened data too. */
const OPEN_RESULTS: ReadonlySet<string> = new Set(["execute_code", "pipeline"]);

/** Whether clients may hold a tool to its output schema. */
function promisesData(name: string, { builtins, store }: PortParts): boolean {
  if (OPEN_RESULTS.has(name)) return false;
  const schema = builtins.has(name)
    ? builtins.listing(name)?.outputSchema
    : store.get(name)?.manifest.output_schema;
  return schema !== undefined;
}

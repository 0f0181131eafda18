const plugin: Deno.lint.Plugin = { name: "skillz", rules: {} };
export default plugin;

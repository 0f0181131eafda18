const DIRECTIVE = /^\s*(deno-(?:lint|fmt)-ignore(?:-file)?)\b(.*)$/s;

/** What a checker is told to ignore is named, and why stands after `--`. */
export const noLintIgnoreWithoutReason: Deno.lint.Rule = {
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          const [, directive, rest = ""] = DIRECTIVE.exec(comment.value) ?? [];
          if (!directive) continue;
          const [codes = "", reason = ""] = rest.split(/\s--\s/);
          const report = (message: string) => context.report({ range: comment.range, message });
          if (directive.startsWith("deno-lint") && codes.trim() === "") {
            report(`${directive} must name the rules`);
          }
          if (reason.trim().length < 8) report(`${directive} needs a reason: // ${directive} rule -- why`);
        }
      },
    };
  },
};

/** One import, in whatever form it is written. */
export interface ImportSite {
  /** What is imported, as written. */
  specifier: string;
  /** Names taken from it; `default` and `*` for those forms. Empty where no name is given. */
  names: string[];
  /** Where to report. */
  node: Deno.lint.Node;
}

/** Visits static and dynamic imports, re-exports and `import("…")` types alike. */
export function visitImports(visit: (site: ImportSite) => void): Deno.lint.LintVisitor {
  return {
    ImportDeclaration(node) {
      const names = node.specifiers.map((specifier) =>
        specifier.type === "ImportSpecifier"
          ? (specifier.imported.type === "Identifier" ? specifier.imported.name : specifier.imported.value)
          : specifier.type === "ImportDefaultSpecifier"
          ? "default"
          : "*"
      );
      visit({ specifier: node.source.value, names, node });
    },
    ImportExpression(node) {
      const { source } = node;
      if (source.type === "Literal" && typeof source.value === "string") {
        visit({ specifier: source.value, names: ["*"], node });
      }
    },
    ExportNamedDeclaration(node) {
      if (node.source) visit({ specifier: node.source.value, names: [], node });
    },
    ExportAllDeclaration(node) {
      visit({ specifier: node.source.value, names: ["*"], node });
    },
    TSImportType(node) {
      const { argument } = node;
      if (argument.type === "TSLiteralType" && argument.literal.type === "Literal") {
        visit({ specifier: String(argument.literal.value), names: [], node });
      }
    },
  };
}

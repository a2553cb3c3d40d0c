// Statements that SQLite compiles once.

/** Text and names in quotes, which are left as they are, or a parameter: `?`, `?1`, `:name`, `@name`, `$name`. */
const quotedOrParameter = /'(?:[^']|'')*'|"(?:[^"]|"")*"|(?<![\w+])(?:\?\d*|[:@$][A-Za-z_]\w*)/g;

/**
 * The same statement with each parameter behind a unary plus, which changes no value. SQLite compiles a statement again for every
 * value that is bound to a parameter which could change its plan; built with SQLITE_ENABLE_STAT4, as better-sqlite3 is, it takes
 * nearly every statement with ORDER BY for one, and that costs five times as much as to run it. A parameter within an expression
 * is exempt (https://sqlite.org/c3ref/prepare.html, https://sqlite.org/queryplanner-ng.html#qpsg).
 */
export function steadyPlan(sql: string): string {
  return sql.replace(quotedOrParameter, (found) => (/^['"]/.test(found) ? found : `+${found}`));
}

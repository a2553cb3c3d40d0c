// Fields in messages, called as whoever reads the message calls them: a layer below knows only its own names for them.

/** By the form of a field's name, what it is called there. */
export type FieldNames = ReadonlyMap<string, string>;

/** These names, of which the earlier ones hold where two have one form: `project_id`, `projectID` and `--project-id` are one field. */
export function fieldNames(names: readonly string[]): FieldNames {
  return new Map(names.toReversed().map((name) => [formOf(name), name]));
}

/** The text with every field in it called as `names` has it. What begins with a quote is a value, and stays. */
export function withFieldNames(text: string, names: FieldNames): string {
  return text.replace(
    /(?<![\w"'`-])[a-z]+(?:_[a-z]+|[A-Z][A-Za-z]*)+(?![\w"'`])/g,
    (name) => names.get(formOf(name)) ?? name,
  );
}

function formOf(name: string): string {
  return name.replace(/[-_]/g, '').toLowerCase();
}

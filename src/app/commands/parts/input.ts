// What every command is given.

export interface CommandInput {
  folder: string;
  configFile: string | undefined;
  variables: NodeJS.ProcessEnv;
  /** Writes a line to standard output. */
  print: (line: string) => void;
  /** What follows the command's name. */
  rest: readonly string[];
  /** Show what would be done and change nothing. */
  dryRun: boolean;
  /** Print one JSON value for programs. */
  json: boolean;
  /** All options that were given, unchecked; for commands with their own options. */
  values: Readonly<Record<string, unknown>>;
}

// What every command is given.

export interface CommandInput {
  folder: string;
  configFile: string | undefined;
  variables: NodeJS.ProcessEnv;
  /** Writes a line to standard output. */
  print: (line: string) => void;
  /** What follows the command's name, and the options that were given, unchecked. */
  operands: readonly string[];
  values: Readonly<Record<string, unknown>>;
}

// What every command is given.

export interface CommandInput {
  folder: string;
  configFile: string | undefined;
  variables: NodeJS.ProcessEnv;
  /** Writes a line to standard output. */
  print: (line: string) => void;
}

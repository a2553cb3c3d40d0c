// The form in which the commands of the program are declared: help, parsing, refusals and completion are made from it.
import type { CommandInput } from '#app/commands/parts/input.ts';

/** What an action takes. */
export interface ActionSpec {
  /** One line of the help. */
  about: string;
  /** The words that follow it, as the help shows them: `<id>`, `[file]`, `<text...>` for any number. None when absent. */
  operands?: string | undefined;
  /** Options by how they are typed, `--limit <number>`, with what they mean; `...` after the value lets one be given several times. */
  options?: Readonly<Record<string, string>> | undefined;
  /** Where `--json` has no meaning. */
  json?: 'refused' | undefined;
}

export interface CommandSpec extends ActionSpec {
  /** Loaded when it is called, so that no command waits for the libraries of another. Resolves with the exit code. */
  load: () => Promise<(input: CommandInput) => Promise<number>>;
  /** Sentences below the usage in its own help. */
  more?: string | undefined;
  /** What it can be asked to do, by the word that follows its name. */
  actions?: Readonly<Record<string, ActionSpec>> | undefined;
  /** The action where none is named; without it the help is shown. */
  usual?: string | undefined;
}

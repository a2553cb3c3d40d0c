// The slash commands of an application, as Discord stores them. Shapes only.

/** A command as the application registered it. */
export interface AppCommand extends CommandForm {
  id: string;
  version: string;
}

export interface CommandForm {
  name: string;
  description: string;
  /** 1: a slash command; 2 and 3: in the menus of people and messages; 4: the entry point of an Activity. */
  type: number;
  contexts: number[] | null;
  integration_types: number[];
  options: unknown[];
  /** Of an entry point: who answers it. */
  handler?: number | undefined;
}

// What an action of a command takes, and the refusal of everything else: what is ignored in silence is believed to have been done.
import { ParleyError } from '#base/errors.ts';
import type { CommandInput } from './input.ts';

/** How many words follow an action: none, one, or a text of any number. */
export interface Takes {
  words: 'none' | 'one' | 'text';
  /** Its own options, next to those of every command. */
  options?: readonly string[] | undefined;
}

const ofEveryCommand: ReadonlySet<string> = new Set(['config', 'json', 'help', 'version']);

/** Throws a ParleyError `invalid_usage` that names the first word or option that the action does not take. */
export function refuseExtra(
  { command, action, takes }: { command: string; action: string; takes: Takes },
  { rest, values }: Pick<CommandInput, 'rest' | 'values'>,
): void {
  const called = `"parley ${command} ${action}"`;
  const hint = `See "parley ${command} help".`;
  const most = { none: 0, one: 1, text: Number.POSITIVE_INFINITY }[takes.words];
  const extra = rest.slice(1)[most];
  if (extra !== undefined)
    throw new ParleyError(
      'invalid_usage',
      `${called} takes ${most === 0 ? 'no words' : 'one word'}, got "${extra}" too.`,
      { hint },
    );
  const { options = [] } = takes;
  const unknown = Object.keys(values).find((name) => !ofEveryCommand.has(name) && !options.includes(name));
  if (unknown === undefined) return;
  const known = options.length === 0 ? 'no options' : options.map((name) => `--${name}`).join(', ');
  throw new ParleyError('invalid_usage', `${called} does not take --${unknown}; it takes ${known}.`, {
    hint,
  });
}

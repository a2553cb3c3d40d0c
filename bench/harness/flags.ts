// Whole numbers and switches from a command line; whatever else is there is refused with a message.
import { parseArgs } from 'node:util';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';

export interface Flag {
  name: string;
  least: number;
  most: number;
  standard: number;
  /** True: it is written without a value, which makes it 1. */
  isSwitch?: boolean;
}

/** The value of each flag, 0 or 1 for a switch; a ParleyError `wrong_flags` says what was expected, what came and how to call it. */
export function readFlags(command: string, flags: readonly Flag[], argv: readonly string[]): number[] {
  const hint = `Call it like: npm run ${command} -- ${flags.map(({ name, standard, isSwitch }) => (isSwitch === true ? `[--${name}]` : `--${name} ${standard}`)).join(' ')}`;
  const refuse = (words: string): never => {
    throw new ParleyError('wrong_flags', words, { hint });
  };
  const values = parsed(flags, argv, refuse);
  return flags.map(({ name, least, most, standard }) => {
    const text = values[name];
    if (text === undefined) return standard;
    if (typeof text === 'boolean') return text ? 1 : 0;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    return refuse(`--${name} expects a whole number from ${least} to ${most}, got "${text}".`);
  });
}

function parsed(
  flags: readonly Flag[],
  argv: readonly string[],
  refuse: (words: string) => never,
): Record<string, string | boolean | undefined> {
  const options = Object.fromEntries(
    flags.map(({ name, isSwitch }) => [name, { type: isSwitch === true ? 'boolean' : 'string' } as const]),
  );
  try {
    return { ...parseArgs({ args: [...argv], options, strict: true }).values };
  } catch (error) {
    if (codeOf(error)?.startsWith('ERR_PARSE_ARGS') !== true) throw error;
    return refuse(errorMessage(error).split('. ')[0] ?? '');
  }
}

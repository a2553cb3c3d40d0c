// The command line: finds the command, runs it, turns expected failures into words and an exit code.
import { parseArgs } from 'node:util';
import { closest } from 'fastest-levenshtein';
import { codeOf, ParleyError, wordsOf } from '#base/errors.ts';
import { checkConfig, printSchema } from './commands/config.ts';
import { demo } from './commands/demo.ts';
import { helpText } from './commands/help.ts';
import type { CommandInput } from './commands/input.ts';
import { start } from './commands/start.ts';
import { readVersion } from './version.ts';

type Command = (input: CommandInput) => Promise<number>;

const commands: Readonly<Record<string, Command>> = {
  start,
  demo,
  check: checkConfig,
  schema: printSchema,
  help: async ({ print }) => {
    print(helpText());
    return 0;
  },
  version: async ({ print }) => {
    print(readVersion());
    return 0;
  },
};

/** Runs one command; resolves with the exit code (0 done, 1 failed, 2 wrong call or config). */
export async function main(argv: readonly string[], variables: NodeJS.ProcessEnv): Promise<number> {
  const complain = (line: string): void => void process.stderr.write(`${line}\n`);
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        config: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    });
    const name =
      values.help === true ? 'help' : values.version === true ? 'version' : (positionals[0] ?? 'help');
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined || positionals.length > 1) {
      const wrong = command === undefined ? name : positionals[1];
      complain(
        `parley: "${wrong}" is not a command. The nearest is "${closest(wrong ?? '', Object.keys(commands))}"; see "parley help".`,
      );
      return 2;
    }
    const print = (line: string): void => void process.stdout.write(`${line}\n`);
    return await command({ folder: process.cwd(), configFile: values.config, variables, print });
  } catch (error) {
    const code = codeOf(error);
    if (error instanceof ParleyError) {
      complain(`parley: ${error.message}${error.cure === undefined ? '' : `\n${error.cure}`}`);
      return error.code === 'config_invalid' ? 2 : 1;
    }
    if (code?.startsWith('ERR_PARSE_ARGS') === true) {
      complain(`parley: ${wordsOf(error)}. See "parley help".`);
      return 2;
    }
    throw error;
  }
}

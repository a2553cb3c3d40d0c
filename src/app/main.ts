// The command line: finds the command, runs it, turns expected failures into words and an exit code.
import { parseArgs } from 'node:util';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import { isDiskFailure, storageCodeOf, storageHint } from '#base/files/disk-failures.ts';
import { nearestName } from '#base/nearest.ts';
import { ownOptions } from './commands/own-options.ts';
import type { CommandInput } from './commands/parts/input.ts';
import { complaint } from './screen/screen.ts';

const options = {
  config: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
  'dry-run': { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

type Command = (input: CommandInput) => Promise<number>;

/** Each command is loaded when it is called, so that `help` does not wait for three platforms' libraries. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import('./commands/serve/start.ts')).start,
  engine: async () => (await import('./commands/serve/engine.ts')).engine,
  channels: async () => (await import('./commands/serve/channels.ts')).channels,
  chat: async () => (await import('./commands/chat.ts')).chat,
  demo: async () => (await import('./commands/serve/demo.ts')).demo,
  check: async () => (await import('./commands/config.ts')).checkConfig,
  uploads: async () => (await import('./commands/uploads.ts')).parleyUploads,
  console: async () => (await import('./commands/console.ts')).consoleLink,
  init: async () => (await import('./commands/init.ts')).init,
  status: async () => (await import('./commands/status.ts')).parleyStatus,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  prune: async () => (await import('./commands/prune.ts')).prune,
  export: async () => (await import('./commands/transfer.ts')).exportFolder,
  backup: async () => (await import('./commands/backup.ts')).backup,
  restore: async () => (await import('./commands/backup.ts')).restore,
  import: async () => (await import('./commands/transfer.ts')).importFolder,
  memory: async () => (await import('./commands/memory/memory.ts')).parleyMemory,
  models: async () => (await import('./commands/calls/models.ts')).parleyModels,
  hook: async () => (await import('./commands/calls/hook.ts')).parleyHook,
  skills: async () => (await import('./commands/skills.ts')).skills,
  token: async () => (await import('./commands/token.ts')).parleyToken,
  mcp: async () => (await import('./commands/serve/mcp.ts')).mcp,
  people: async () => (await import('./commands/people.ts')).parleyPeople,
  schema: async () => (await import('./commands/config.ts')).printSchema,
  help: async () => (await import('./commands/help.ts')).printHelp,
  slack: async () => (await import('./commands/slack.ts')).slack,
  sessions: async () => (await import('./commands/calls/sessions.ts')).parleySessions,
  runs: async () => (await import('./commands/calls/runs.ts')).parleyRuns,
  events: async () => (await import('./commands/calls/events.ts')).events,
  version: async () => (await import('./commands/help.ts')).printVersion,
};

/** Commands that are followed by what they are to do. */
const withActions = new Set([
  'uploads',
  'backup',
  'restore',
  'export',
  'import',
  'sessions',
  'runs',
  'events',
  'memory',
  'people',
  'token',
  'hook',
  'models',
  'skills',
  'slack',
]);
/** Those that can show what they would delete. */
const withDryRun = new Set(['memory', 'prune', 'uploads', 'runs']);
const withOwnHelp = new Set([
  'sessions',
  'runs',
  'events',
  'memory',
  'people',
  'token',
  'hook',
  'models',
  'skills',
  'mcp',
  'slack',
]);

/** Where a command writes lines. */
interface Output {
  out: (line: string) => void;
  err: (line: string) => void;
}

const standard: Output = {
  out: (line) => void process.stdout.write(`${line}\n`),
  err(line) {
    const { isTTY, columns } = process.stderr;
    process.stderr.write(`${isTTY ? complaint(line, columns) : line}\n`);
  },
};

/** Runs one command; resolves with the exit code (0 done, 1 failed, 2 wrong call or config). */
export async function main(
  argv: readonly string[],
  variables: NodeJS.ProcessEnv,
  { out: print, err: complain }: Output = standard,
): Promise<number> {
  const known = { ...options, ...ownOptions(argv[0]) };
  try {
    const { values, positionals } = parseArgs({ args: [...argv], allowPositionals: true, options: known });
    // a call without words is a wish to see it run
    const [called = 'start'] = positionals;
    const helps = values.help === true && !withOwnHelp.has(called);
    const name = helps ? 'help' : values.version === true ? 'version' : called;
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined) {
      complain(
        `parley: "${name}" is not a command.${nearestWords(name, Object.keys(commands))} See "parley help".`,
      );
      return 2;
    }
    const rest =
      helps || values.version === true ? [] : values.help === true ? ['help'] : positionals.slice(1);
    if (rest.length > 0 && values.help !== true && !withActions.has(name)) {
      complain(`parley: expected one command, got "${positionals.join(' ')}". See "parley help".`);
      return 2;
    }
    if (values['dry-run'] === true && !withDryRun.has(name)) {
      complain(`parley: --dry-run is for ${[...withDryRun].join(', ')}. See "parley help".`);
      return 2;
    }
    const run = await command();
    return await run({
      folder: process.cwd(),
      configFile: typeof values.config === 'string' ? values.config : undefined,
      variables,
      print,
      rest,
      dryRun: values['dry-run'] === true,
      json: values.json === true,
      values,
    });
  } catch (error) {
    const code = codeOf(error);
    if (error instanceof ParleyError) {
      complain(`parley: ${error.message}${error.hint === undefined ? '' : `\n${error.hint}`}`);
      return error.code === 'config_invalid' || error.code === 'invalid_usage' ? 2 : 1;
    }
    if (isDiskFailure(error)) {
      complain(`parley: ${errorMessage(error)}.\n${storageHint(storageCodeOf(error))}`);
      return 1;
    }
    if (code?.startsWith('ERR_PARSE_ARGS') === true) {
      const optionNames = [...Object.keys(known).map((each) => `--${each}`), '-h', '-v'];
      complain(`parley: ${wordsOfParser(errorMessage(error), argv, optionNames)} See "parley help".`);
      return 2;
    }
    throw error;
  }
}

/** What `parseArgs` says about these arguments, in the words of the other messages. */
function wordsOfParser(message: string, args: readonly string[], optionNames: readonly string[]): string {
  const [, unknown] = /^Unknown option '(-[^']*)'/.exec(message) ?? [];
  if (unknown !== undefined) return `"${unknown}" is not an option.${nearestWords(unknown, optionNames)}`;
  const [, valued, fault] =
    /^Option '(?:-\w, )?(--[^' ]+)[^']*' argument (is ambiguous|missing)/.exec(message) ?? [];
  if (valued === undefined) return `${message}.`;
  if (fault === 'missing') return `${valued}: expected a value, got nothing.`;
  const next = args.find((each, index) => args[index - 1] === valued && each.startsWith('-'));
  return `${valued}: expected a value, got the option "${next}". A value with a dash first is written ${valued}=${next}.`;
}

function nearestWords(word: string, known: readonly string[]): string {
  const nearest = nearestName(word, known);
  return nearest === undefined ? '' : ` The nearest is "${nearest}".`;
}

// The commands as commander reads a command line: help, and refusals of what a command does not take.
import { Command, CommanderError, Option } from 'commander';
import { environmentHelp } from '#app/config/environment.ts';
import { entry } from '#app/screen/screen.ts';
import { asCalled, programCalled } from '#base/called-as.ts';
import { ParleyError } from '#base/errors.ts';
import { nearestName } from '#base/nearest.ts';
import type { ActionSpec, CommandSpec } from './command-spec.ts';
import { programCommands as commands } from './program-commands.ts';

/** Columns of a help. */
const columns = 80;

/** A command line as it was understood. */
interface Called {
  spec: CommandSpec;
  /** The command and its action as they are typed, `parley sessions list`. */
  path: string;
  /** The action, if any, and the words after it. */
  rest: string[];
  /** The options that were given, by their names without dashes. */
  values: Record<string, unknown>;
}

/** Text that was asked for in place of a command: its help. */
interface HelpShown {
  shown: string;
}

/**
 * What a command line means. Throws a ParleyError `invalid_usage` that names the first word or option that is not taken there, and what is:
 * what is ignored in silence is believed to have been done.
 */
export function readCommandLine(argv: readonly string[]): Called | HelpShown {
  let called: Called | undefined;
  let shown = '';
  const program = programOf(
    (text) => {
      shown += text;
    },
    (found) => {
      called = found;
    },
  );
  const words = withHelpLast(argv);
  const { operands } = program.parseOptions([...words]);
  const isHelp = words.includes('--help') || words.includes('-h');
  const isVersion = program.opts().version === true && operands.length === 0;
  try {
    if (isVersion && !isHelp) program.parse(['version'], { from: 'user' });
    else program.parse(isHelp ? [...words] : withUsual(words, operands), { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return { shown: shown.trimEnd() };
    throw error;
  }
  return called ?? { shown: shown.trimEnd() };
}

/** The help of the whole program. */
export function helpText(): string {
  const read = readCommandLine(['--help']);
  return 'shown' in read ? read.shown : '';
}

/** The command without words, which is a wish to see it run, and the usual action of a command without one. */
function withUsual(words: readonly string[], operands: readonly string[]): string[] {
  const [name, action] = operands;
  if (name === undefined) return ['start', ...words];
  const usual = action === undefined && Object.hasOwn(commands, name) ? commands[name]?.usual : undefined;
  const at = words.indexOf(name) + 1;
  return usual === undefined ? [...words] : words.toSpliced(at, 0, usual);
}

/** `help sessions list` and `sessions help list` as `sessions list --help`. */
function withHelpLast(argv: readonly string[]): readonly string[] {
  const at = argv.slice(0, 2).indexOf('help');
  const isHelp =
    at === 0 ||
    (at === 1 && Object.hasOwn(commands, argv[0] ?? '') && commands[argv[0] ?? '']?.actions !== undefined);
  return isHelp ? [...argv.filter((_, index) => index !== at), '--help'] : argv;
}

function programOf(write: (text: string) => void, found: (called: Called) => void): Command {
  const program = prepared(new Command(programCalled()), write)
    .description('One assistant behind Discord, Telegram and Slack, with a memory that lasts.')
    .usage('COMMAND [OPTIONS]')
    .option('-v, --version', 'print the version of this program')
    .addOption(optionOf('--config <file>', 'read this instead of parley.config.json'))
    .addOption(optionOf('--json', 'print JSON, for programs'))
    .addHelpText('after', afterHelp);
  for (const [each, spec] of Object.entries(commands))
    program.addCommand(commandOf(each, spec, { write, found }));
  return program;
}

interface Reading {
  write: (text: string) => void;
  found: (called: Called) => void;
}

function commandOf(name: string, spec: CommandSpec, reading: Reading): Command {
  const { about, more, actions } = spec;
  const command = prepared(new Command(name), reading.write).summary(about);
  command.description(asCalled(sentences(more === undefined ? about : `${about}. ${more}`)));
  if (actions === undefined) return taking(command, spec, { ...reading, spec, before: [] });
  command.usage('ACTION [OPTIONS]').commandsGroup('Actions:');
  for (const [each, action] of Object.entries(actions)) {
    const below = prepared(new Command(each), reading.write);
    below.summary(action.about).description(sentences(action.about));
    command.addCommand(taking(below, action, { ...reading, spec, before: [each] }));
  }
  return command;
}

/** Gives a command the words and options that it takes. */
function taking(
  command: Command,
  action: ActionSpec,
  { spec, before, found }: Reading & { spec: CommandSpec; before: readonly string[] },
): Command {
  const { operands = '', options = {} } = action;
  const most = operands.split(' ').filter((word) => word !== '').length;
  const isOpen = operands.endsWith('...>') || operands.endsWith('...]');
  // an action says itself what it lacks, in words of what it does
  command.argument('[words...]');
  command.usage(['[options]', operands].filter((part) => part !== '').join(' '));
  for (const [flags, about] of Object.entries(options)) command.addOption(optionOf(flags, about));
  const ofAll = action.json === 'refused' ? ['--config'] : ['--config', '--json'];
  command.configureHelp({
    showGlobalOptions: true,
    visibleGlobalOptions: () => optionsOf(rootOf(command), ofAll),
  });
  command.action((words: string[]) => {
    const extra = isOpen ? undefined : words[most];
    if (extra !== undefined) throw usageError(command, `takes ${wordsTaken(most)}, got "${extra}" too.`);
    const values = { ...valuesOf(rootOf(command)), ...valuesOf(command) };
    if (values.json === true && action.json === 'refused')
      throw usageError(command, 'prints nothing as JSON.');
    found({ spec, path: pathOf(command), rest: [...before, ...words], values });
  });
  return command;
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

function optionsOf(command: Command, names: readonly string[]): Option[] {
  return command.options.filter(({ long }) => names.includes(long ?? ''));
}

function wordsTaken(most: number): string {
  return most === 0 ? 'no words' : most === 1 ? 'one word' : `${most} words`;
}

function optionOf(flags: string, about: string): Option {
  const several = flags.endsWith('...>');
  const option = new Option(several ? flags.replace('...>', '>') : flags, about);
  if (!option.required) return option;
  const { long = '' } = option;
  return option.argParser((value: string, before: unknown) => {
    if (value === '') throw new ParleyError('invalid_usage', `${long}: expected a value, got "".`);
    if (/^--[a-z]/.test(value))
      throw new ParleyError('invalid_usage', `${long}: expected a value, got the option "${value}".`, {
        hint: `A value with dashes first is written ${long}=${value}.`,
      });
    return several ? [...(Array.isArray(before) ? before : []), value] : value;
  });
}

function valuesOf(command: Command): Record<string, unknown> {
  const given = command.options.map((option) => [
    option.long?.slice(2) ?? '',
    command.getOptionValue(option.attributeName()),
  ]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** As a command stands in a list: its name, and the words after it. */
function termOf(command: Command): string {
  const [, operands = ''] = /^\[options\] (.*)$/.exec(command.usage()) ?? [];
  return `${command.name()} ${operands}`.trimEnd();
}

function sentences(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}

/** What all of them have: help of 80 columns to `write`, and refusals as ParleyErrors. */
function prepared(command: Command, write: (text: string) => void): Command {
  return command
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .configureHelp({ helpWidth: columns, showGlobalOptions: false, subcommandTerm: termOf })
    .configureOutput({ writeOut: write, writeErr: write, outputError: () => {} })
    .exitOverride((error) => {
      if (error.exitCode === 0 || error.code === 'commander.help') throw error;
      throw refusalOf(command, error);
    });
}

function refusalOf(command: Command, { code, message }: CommanderError): Error {
  const [, word = ''] = /'([^' ]+)[^']*'/.exec(message) ?? [];
  if (code === 'commander.optionMissingArgument')
    return usageError(command, `needs a value after ${longOf(message)}.`);
  if (code === 'commander.unknownCommand') return unknownWord(command, word);
  if (code === 'commander.unknownOption') return unknownOption(command, word);
  return usageError(command, message);
}

function longOf(message: string): string {
  return /--[a-z-]+/.exec(message)?.[0] ?? message;
}

/** `parley sessions list`. */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function usageError(command: Command, what: string, nearest = ''): ParleyError {
  const path = pathOf(command);
  const hint = `${nearest} See "${path} --help".`.trimStart();
  return new ParleyError('invalid_usage', `"${path}" ${what}`, { hint });
}

function unknownWord(command: Command, word: string): ParleyError {
  const known = command.commands.map((each) => each.name());
  const nearest = nearestWords(word, known);
  return command.parent === null
    ? new ParleyError('invalid_usage', `"${word}" is not a command.${nearest}`, {
        hint: 'See "parley help".',
      })
    : new ParleyError('invalid_usage', `"${word}" is not an action of "${pathOf(command)}".`, {
        hint: `${nearest} Choose one of ${known.join(', ')}.`.trimStart(),
      });
}

function unknownOption(command: Command, word: string): ParleyError {
  const own = command.options.flatMap(({ long }) => (long === undefined ? [] : [long]));
  const nearest = nearestWords(word, [...own, ...rootOf(command).options.flatMap(({ long }) => long ?? [])]);
  const what = own.length === 0 ? 'no options' : own.join(', ');
  return usageError(command, `does not take ${word}; it takes ${what}.`, nearest);
}

function nearestWords(word: string, known: readonly string[]): string {
  const nearest = nearestName(word, known);
  return nearest === undefined ? '' : ` The nearest is "${nearest}".`;
}

function afterHelp(): string {
  const variables = Object.entries(environmentHelp).flatMap(([name, help]) =>
    entry(`  ${name}`, asCalled(help), 31),
  );
  return [
    '',
    asCalled('"parley help COMMAND" says how a command is called.'),
    '',
    'Environment (also from a .env file next to the config)',
    ...variables,
  ].join('\n');
}

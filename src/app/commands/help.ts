// What `parley help` prints; docs/configuration.md shows the same text.
import { environmentHelp } from '#app/config/environment.ts';
import { readVersion } from '#app/home/version.ts';
import { entry } from '#app/screen/screen.ts';
import type { CommandInput } from './parts/input.ts';

/** The help of the command line, at most 80 columns wide. */
export function helpText(): string {
  const variables = Object.entries(environmentHelp).flatMap(([name, help]) => entry(`  ${name}`, help, 31));
  return [
    'parley: one assistant behind Discord, Telegram and Slack, and its memory',
    '',
    'Usage: parley COMMAND [--config FILE] [--dry-run]',
    '',
    'Commands',
    '  init      ask for platforms and a model, check each live, write the config',
    '  start     run the gateway; with no platform token it starts the sandbox',
    '  engine    run the engine and its memory only; channels run somewhere else',
    '  channels  run the channels only, for the engine at --engine URL',
    '  chat      talk to it here in the terminal; pipe lines in for a script',
    '  demo      play a fixed story on the sandbox and print what people would see',
    '  console   print a link that opens the console in a browser: works once,',
    '            for five minutes; --viewer for someone who only reads open rooms',
    '  check     read the config and the environment and say what is wrong',
    '  status    show the running Parley: channels, backlog, runs, memory, cost',
    '  doctor    look at everything that can be in the way, and say how it is',
    '            fixed; --fix fixes what is safe to fix',
    '  backup DIR',
    '            everything in the home folder into a new DIR, also while it runs',
    '  restore DIR',
    '            and back, while nothing runs; saves what it replaces (--replace)',
    '  prune     delete what is older than `uploads` and `runs` in the config say',
    '  uploads prune',
    '            delete files that people sent before `uploads.retentionDays`',
    '  sessions  list, show, rename, compact, delete and more; "parley sessions help"',
    '  runs      list, show, replay, export; see "parley runs help"',
    '  events    what the engine does, as it happens; see "parley events help"',
    '  export DIR, import DIR',
    '            all conversations as three JSON files, and back',
    '  memory    read, import and forget what is remembered; see "parley memory help"',
    '  people    who may talk to it, and their roles; see "parley people help"',
    '  token     tokens by which programs read memory; see "parley token help"',
    '  hook      webhooks that programs call; see "parley hook help"',
    '  models    what models refused before, and how to try it again: list, forget',
    '  skills    the skills of agents: list, check; see "parley skills help"',
    '  mcp       the work journal and memory for a program that speaks MCP over',
    '            standard input and output; see "parley mcp --help"',
    '  slack manifest',
    '            print the app manifest for Slack; see "parley slack help"',
    '  schema    print the JSON Schema of the config file',
    '  help      this text',
    '  version   the version of this program',
    '',
    'Options',
    '  --config FILE   read FILE instead of parley.config.json',
    '  --port NUMBER   where `start`, `engine` or `channels` listens, instead of',
    '                  `engine.port` or `gateway.port`; 0 takes a free one',
    '  --dry-run       show what `prune` would delete, or `memory promote` would',
    '                  write, and change nothing',
    '  --yes           lets `init` ask nobody: tokens and keys as the environment has',
    '                  them, with --provider NAME and --model NAME into the config',
    '  --unchecked     lets `init --yes` write without asking the platforms',
    '  --viewer, --name NAME',
    '                  who the link of `console` is for',
    '  --watch         shows `status` again every two seconds',
    '  --fix           lets `doctor` fix what nobody can lose anything by',
    '  --replace       lets `restore` exchange what the home folder holds',
    '  --json          print JSON, for programs',
    '  --engine URL    where the engine is that `channels` are for (default: as',
    '                  `engine.host` and `engine.port` say)',
    '  --token-file FILE',
    '                  its token, for `channels` (default: PARLEY_TOKEN, else the',
    '                  file "token" in the home folder)',
    '',
    'Environment (also from a .env file next to the config)',
    ...variables,
  ].join('\n');
}

/** Prints the help; resolves with 0. */
export async function printHelp({ print }: CommandInput): Promise<number> {
  print(helpText());
  return 0;
}

/** Prints the version; resolves with 0. */
export async function printVersion({ print }: CommandInput): Promise<number> {
  print(readVersion());
  return 0;
}

// `parley completion SHELL`: a script by which a shell completes commands, actions and options, also of a program that is called by its path
// (`node bin/parley.js`) or by npx. It holds the words; the program is not asked.

import type { CommandInput } from '#app/commands/parts/input.ts';
import { programCalled } from '#base/called-as.ts';
import { ParleyError } from '#base/errors.ts';
import type { ActionSpec, CommandSpec } from './command-spec.ts';

type Commands = Readonly<Record<string, CommandSpec>>;
/** The script of a shell; `runner` is what is typed before the program. */
type Script = (commands: Commands, runner: string | undefined) => string;

/** The command that prints the script of a shell for these commands; it resolves with 0. */
export const completionOf =
  (commands: Commands) =>
  async ({ rest, print }: CommandInput): Promise<number> => {
    const [shell = '', ...more] = rest;
    const script = Object.hasOwn(scripts, shell) && more.length === 0 ? scripts[shell] : undefined;
    if (script === undefined)
      throw new ParleyError(
        'invalid_usage',
        `Expected one of ${Object.keys(scripts).join(', ')}, got "${shell}".`,
        {
          hint: 'For bash: "parley completion bash >> ~/.bashrc".',
        },
      );
    print(script(commands, runnerOf(programCalled())));
    return 0;
  };

/** What a person types before the program: `node` or `npx`; undefined where the PATH finds it. */
function runnerOf(called: string): string | undefined {
  const [first, ...more] = called.split(' ');
  return more.length === 0 ? undefined : first;
}

/** What may follow each beginning of a line: the empty one, a command, a command with its action; after `help` a command, and its action. */
function following(commands: Commands): [before: string, words: string[]][] {
  return Object.entries(commands).reduce<[string, string[]][]>(
    (all, [name, command]) => {
      const { actions = {} } = command;
      const shells = name === 'completion' ? Object.keys(scripts) : [];
      all.push([name, [...Object.keys(actions), ...shells, ...longOf(command)]]);
      for (const [action, spec] of Object.entries(actions)) all.push([`${name} ${action}`, longOf(spec)]);
      if (Object.keys(actions).length > 0) all.push([`help ${name}`, Object.keys(actions)]);
      return all;
    },
    [
      ['', ['help', ...Object.keys(commands)]],
      ['help', Object.keys(commands)],
    ],
  );
}

/** The options of a command or an action, with those of all that it takes. */
function longOf({ options = {}, json }: ActionSpec): string[] {
  const own = Object.keys(options).map((flags) => flags.split(' ')[0] ?? '');
  return [...own, '--config', ...(json === 'refused' ? [] : ['--json']), '--help'];
}

const bash: Script = (commands, runner) => `# completion of parley for bash
_parley() {
  local word=\${COMP_WORDS[COMP_CWORD]} before= at=1
  while [ $at -lt $COMP_CWORD ] && [ $at -le 2 ]; do
    case \${COMP_WORDS[at]} in -*) break ;; esac
    before="$before\${before:+ }\${COMP_WORDS[at]}"
    at=$((at + 1))
  done
  local words
  case $before in
${following(commands)
  .map(([before, words]) => `    '${before}') words='${words.join(' ')}' ;;`)
  .join('\n')}
    *) case \${before%% *} in
${Object.entries(commands)
  .map(([name, { about, json }]) => `      '${name}') words='${longOf({ about, json }).join(' ')}' ;;`)
  .join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _parley parley parley.js
${runner === undefined ? '' : bashByRunner(runner)}`;

/** Completes the words after `node PATH/bin/parley.js`; anything else that the runner runs is left to what completed it before. */
const bashByRunner = (runner: string): string => `
_parley_now=$(complete -p ${runner} 2>/dev/null)
case $_parley_now in
  *_parley_run*) ;;
  *' -F '*) _parley_now=\${_parley_now##* -F } _parley_before=\${_parley_now%% *} ;;
  *) _parley_before= ;;
esac
_parley_run() {
  case $COMP_CWORD,\${COMP_WORDS[1]} in
    1,*) ;;
    *,bin/parley.js | *,*/bin/parley.js | *,parley-gateway)
      COMP_WORDS=("\${COMP_WORDS[@]:1}")
      COMP_CWORD=$((COMP_CWORD - 1))
      _parley
      return ;;
  esac
  [ -z "$_parley_before" ] || "$_parley_before" "$@"
}
complete -o default -F _parley_run ${runner}
`;

const zsh: Script = (commands, runner) => `#compdef parley
autoload -U +X bashcompinit && bashcompinit
${bash(commands, undefined)}${runner === undefined ? '' : zshByRunner(runner)}`;

const zshByRunner = (runner: string): string => `
[[ $_comps[${runner}] == _parley_run ]] || _parley_before=$_comps[${runner}]
_parley_run() {
  if (( CURRENT > 2 )) && [[ $words[2] == (*bin/parley.js|parley-gateway) ]]; then
    shift words
    (( CURRENT -= 1 ))
    _bash_complete -o default -F _parley
  else
    eval \${_parley_before:-_default}
  fi
}
compdef _parley_run ${runner}
`;

const fish: Script = (commands, runner) =>
  [
    '# completion of parley for fish',
    ...following(commands).flatMap(([before, words]) => {
      const [command, action] = before === '' ? [] : before.split(' ');
      // of a command that is seen its actions follow anyway, also behind `help`
      if (command === 'help' && action !== undefined) return [];
      const where =
        command === undefined
          ? '__fish_use_subcommand'
          : command === 'help'
            ? '__fish_seen_subcommand_from help; and test (count (commandline -opc)) -eq 2'
            : `__fish_seen_subcommand_from ${command}${action === undefined ? '' : `; and __fish_seen_subcommand_from ${action}`}`;
      return words.map((word) =>
        word.startsWith('--')
          ? `complete -c parley -n '${where}' -l ${word.slice(2)}`
          : `complete -c parley -f -n '${where}' -a ${word}`,
      );
    }),
    'complete -c parley.js -w parley',
    ...(runner === undefined ? [] : fishByRunner(runner)),
    '',
  ].join('\n');

const fishByRunner = (runner: string): string[] => [
  'function __parley_run',
  '  set -l words (commandline -opc)',
  "  test (count $words) -gt 1; and string match -qr '(^|/)bin/parley\\.js$|^parley-gateway$' -- $words[2]",
  'end',
  'function __parley_words',
  '  set -l words (commandline -opc)',
  "  complete -C (string join ' ' -- parley $words[3..-1] (commandline -ct | string collect --allow-empty))",
  'end',
  `complete -c ${runner} -n __parley_run -f -a '(__parley_words)'`,
];

const scripts: Readonly<Record<string, Script>> = { bash, zsh, fish };

// `parley completion SHELL`: a script by which a shell completes commands, actions and options. It holds the words; the program is not asked.

import type { CommandInput } from '#app/commands/parts/input.ts';
import { ParleyError } from '#base/errors.ts';
import type { CommandSpec } from './command-spec.ts';

type Commands = Readonly<Record<string, CommandSpec>>;

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
    print(script(commands));
    return 0;
  };

/** What may follow each beginning of a line: the empty one, a command, a command with its action. */
function following(commands: Commands): [before: string, words: string[]][] {
  return Object.entries(commands).reduce<[string, string[]][]>(
    (all, [name, { actions = {}, options = {} }]) => {
      const shells = name === 'completion' ? Object.keys(scripts) : [];
      all.push([name, [...Object.keys(actions), ...shells, ...longOf(options)]]);
      for (const [action, { options: own = {} }] of Object.entries(actions))
        all.push([`${name} ${action}`, longOf(own)]);
      return all;
    },
    [['', ['help', ...Object.keys(commands)]]],
  );
}

const ofAll = ['--config', '--json', '--help'];

function longOf(options: Readonly<Record<string, string>>): string[] {
  return [...Object.keys(options).map((flags) => flags.split(' ')[0] ?? ''), ...ofAll];
}

/** Files are completed where no word fits, as for `--config`. */
const bash = (commands: Commands): string => `# completion of parley for bash
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
${Object.keys(commands)
  .map((name) => `      '${name}') words='${ofAll.join(' ')}' ;;`)
  .join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _parley parley
`;

const zsh = (commands: Commands): string => `#compdef parley
autoload -U +X bashcompinit && bashcompinit
${bash(commands)}`;

const fish = (commands: Commands): string =>
  [
    '# completion of parley for fish',
    ...following(commands).flatMap(([before, words]) => {
      const [command, action] = before === '' ? [] : before.split(' ');
      const where =
        command === undefined
          ? '__fish_use_subcommand'
          : `__fish_seen_subcommand_from ${command}${action === undefined ? '' : `; and __fish_seen_subcommand_from ${action}`}`;
      return words.map((word) =>
        word.startsWith('--')
          ? `complete -c parley -n '${where}' -l ${word.slice(2)}`
          : `complete -c parley -f -n '${where}' -a ${word}`,
      );
    }),
    '',
  ].join('\n');

const scripts: Readonly<Record<string, (commands: Commands) => string>> = { bash, zsh, fish };

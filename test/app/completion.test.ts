// What a shell completes: commands, actions and options, by the script that the program prints.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { programCommands as commands } from '#app/cli/program-commands.ts';
import { atTerminal, noTerminal } from '../support/pseudo-terminal.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openTerminal } from './terminal.ts';

test('bash completes commands, their actions and the options of each, from the printed script', async (t) => {
  const { call } = openTerminal(t);
  const script = join(tempFolder(t), 'completion');
  writeFileSync(script, (await call('completion', 'bash')).out);
  const completed = (line: string): string[] => {
    const words = ['parley', ...line.split(' ')];
    const asked = `source '${script}'; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _parley; echo "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', asked], { encoding: 'utf8' }).trim().split(' ');
  };
  assert.deepEqual(completed('sta'), ['start', 'status']);
  assert.deepEqual(completed('').sort(), ['help', ...Object.keys(commands)].sort());
  assert.deepEqual(completed('memory pro'), ['promote', 'promote-explain']);
  assert.deepEqual(completed('memory list --ta'), ['--tag']);
  assert.deepEqual(completed('help memo'), ['memory']);
  assert.deepEqual(completed('help memory pro'), ['promote', 'promote-explain']);
  assert.deepEqual(completed('sessions show ses_1 --j'), ['--json']);
  assert.deepEqual(completed('completion '), ['bash', 'zsh', 'fish', '--config', '--help']);
  assert.deepEqual(
    completed('start -'),
    ['--port', '--config', '--help'],
    'what prints no JSON takes no --json',
  );
});

/** The script as the program prints it that is called as `node bin/parley.js` in its clone. */
function ofClone(shell: string): string {
  const clone = join(import.meta.dirname, '../..');
  const words = [join('bin', 'parley.js'), '--source', 'completion', shell];
  return execFileSync(process.execPath, words, { cwd: clone, encoding: 'utf8' });
}

test('bash completes the words of a clone that is called by its path, and leaves other programs to what completed them', (t) => {
  const script = join(tempFolder(t), 'completion');
  writeFileSync(script, ofClone('bash'));
  const completed = (...words: string[]): string => {
    const asked = `_other() { COMPREPLY=(other "\${COMP_WORDS[1]}"); }; complete -F _other node
      source '${script}'; source '${script}'
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
      spec=$(complete -p node); spec=\${spec##* -F }; "\${spec%% *}"; echo "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', asked], { encoding: 'utf8' }).trim();
  };
  assert.equal(completed('node', 'bin/parley.js', 'sta'), 'start status');
  assert.equal(
    completed('node', '/home/ann/parley/bin/parley.js', 'memory', 'pro'),
    'promote promote-explain',
  );
  assert.equal(completed('node', 'bin/parley.js'), 'other bin/parley.js', 'the path itself');
  assert.equal(completed('node', 'build/docs.ts', 'sta'), 'other build/docs.ts');
});

test('a person who presses Tab in bash gets the word, or the words that fit', {
  skip: noTerminal,
}, async (t) => {
  const { call, folder } = openTerminal(t);
  const script = join(folder, 'completion');
  writeFileSync(script, (await call('completion', 'bash')).out);
  const screen = await atTerminal('bash --norc -i', {
    folder,
    typed: [
      { seen: /[$#] $/, type: `PS1='> '; source '${script}'; parley() { echo "<$*>"; }\n` },
      { seen: /\n\r?> $/, type: 'parley memory promote-e\t\n' },
      { seen: /<memory promote-explain>[\r\n]+> $/, type: 'parley sta\t\t' },
      { seen: /start +status/, type: '\u0003' },
      { seen: /\^C[\r\n]+> $/, type: 'parley runs list --stat\t\n' },
      { seen: /<runs list --status>[\r\n]+> $/, type: 'exit\n' },
    ],
  });
  assert.match(screen, /<runs list --status>/);
});

test('fish completes commands from its script', {
  skip: spawnSync('fish', ['--version']).error === undefined ? false : 'SKIPPED: fish is missing',
}, async (t) => {
  const { call, folder } = openTerminal(t);
  const script = join(folder, 'completion');
  writeFileSync(script, (await call('completion', 'fish')).out);
  const asked = `source '${script}'; complete -C 'parley sta'`;
  const words = execFileSync('fish', ['-c', asked], { encoding: 'utf8' }).trim().split('\n');
  assert.deepEqual(words.map((word) => word.split('\t')[0]).sort(), ['start', 'status']);
  for (const [line, fits] of [
    ['help memo', 'memory'],
    ['help memory pro', 'promote promote-explain'],
  ]) {
    const helped = execFileSync('fish', ['-c', `source '${script}'; complete -C 'parley ${line}'`], {
      encoding: 'utf8',
    });
    assert.equal(helped.trim().split('\n').sort().join(' '), fits);
  }
  writeFileSync(script, ofClone('fish'));
  const byPath = `source '${script}'; complete -C 'node bin/parley.js memory pro'`;
  const ofPath = execFileSync('fish', ['-c', byPath], { encoding: 'utf8' }).trim().split('\n');
  assert.deepEqual(ofPath.map((word) => word.split('\t')[0]).sort(), ['promote', 'promote-explain']);
});

test('zsh takes its script', {
  skip: spawnSync('zsh', ['--version']).error === undefined ? false : 'SKIPPED: zsh is missing',
}, async (t) => {
  const { call, folder } = openTerminal(t);
  const script = join(folder, 'completion');
  writeFileSync(script, (await call('completion', 'zsh')).out);
  const asked = `autoload -U compinit && compinit -D; source '${script}'; print $_comps[parley]`;
  assert.match(execFileSync('zsh', ['-fc', asked], { encoding: 'utf8' }), /_bash_complete/);
  writeFileSync(script, ofClone('zsh'));
  const byPath = `autoload -U compinit && compinit -D; source '${script}'; print $_comps[node] $_parley_before`;
  assert.equal(
    execFileSync('zsh', ['-fc', byPath], { encoding: 'utf8' }).trim().split(' ')[0],
    '_parley_run',
  );
});

test('zsh and fish have their scripts, and another shell is refused with those that have one', async (t) => {
  const { call } = openTerminal(t);
  assert.match((await call('completion', 'zsh')).out, /^#compdef parley\n[\s\S]*'memory list'\) words=/);
  const fish = (await call('completion', 'fish')).out;
  assert.match(fish, /^complete -c parley -f -n '__fish_use_subcommand' -a status$/m);
  assert.match(fish, /seen_subcommand_from memory; and __fish_seen_subcommand_from list' -l tag$/m);
  const { code, err } = await call('completion', 'tcsh');
  assert.deepEqual([code, err.split('\n')[0]], [2, 'parley: Expected one of bash, zsh, fish, got "tcsh".']);
});

// Which messages are commands, and which are written to the assistant.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { menuFor } from '#adapters/gateway/commands/menu.ts';
import { languages } from '#adapters/gateway/phrases/language.ts';
import { phrasesFor } from '#adapters/gateway/phrases/phrases.ts';
import { commandNames } from '#adapters/gateway/terms/command-table.ts';
import { commandOf, nearMissOf } from '#adapters/gateway/terms/parse-command.ts';
import { dm, message } from '../scripted-channel.ts';

const said = (text: string, over: object = {}) => commandOf(message('1', text, over));

test('a command is its word in any case, with or without text after it, also as /cmd@name (TN)', () => {
  assert.deepEqual(said('/new'), { name: 'new', args: '' });
  assert.deepEqual(said(' /RENAME Trip  to\nRome '), { name: 'rename', args: 'Trip  to\nRome' });
  assert.deepEqual(said('/new@parley Trip'), { name: 'new', args: 'Trip' });
  assert.deepEqual(said('/start'), { name: 'help', args: '' });
  for (const typed of ['/stop!', '/stop.', '/Stop …', '/stop, '])
    assert.equal(said(typed)?.name, 'stop', `${typed}, as people end a word (R36)`);
  assert.deepEqual(said('/stop, please'), { name: 'stop', args: 'please' });
  for (const typed of ['/active-memory off', '/active_memory off', '/Active_Memory@parley off'])
    assert.deepEqual(said(typed), { name: 'active-memory', args: 'off' }, typed);
});

test('on Telegram, whose names are unique, a command for another bot is none (TN)', () => {
  const address = { ...dm, platform: 'telegram' as const };
  assert.equal(said('/new@otherbot', { address }), undefined);
  assert.deepEqual(said('/new', { address }), { name: 'new', args: '' });
});

test('on Slack, which takes "/" for itself, a command begins with "!" as well; elsewhere it does not, and only known words do', () => {
  const address = { ...dm, platform: 'slack' as const };
  assert.deepEqual(said('!new Trip', { address }), { name: 'new', args: 'Trip' });
  assert.deepEqual(said('/new', { address }), { name: 'new', args: '' });
  for (const text of ['!important', '!newer', '!now', '! new', '!!new', 'well !new', '!'])
    assert.equal(said(text, { address }), undefined, text);
  assert.equal(nearMissOf(message('1', '!hepl', { address })), undefined);
  for (const platform of ['discord', 'telegram', 'terminal'] as const)
    assert.equal(said('!new', { address: { ...dm, platform } }), undefined, platform);
});

test('a command that is mistyped by a letter or two is taken for one, and nothing else is', () => {
  const near = (text: string) => nearMissOf(message('1', text));
  for (const [typed, meant] of [
    ['/hepl', 'help'],
    ['/Memroy', 'memory'],
    ['/sesions', 'sessions'],
    ['/tool', 'tools'],
    ['/stauts', 'status'],
    ['/active-memroy', 'active-memory'],
  ] as const)
    assert.equal(near(typed), meant, typed);
  for (const text of [
    '/help',
    '/start',
    '/deploy',
    '/newer',
    '/new-ish',
    '/constructor',
    '/ab',
    '/etc/hosts',
    'hepl',
    '/hepl me',
  ])
    assert.equal(near(text), undefined, text);
});

test('a bare "yes", an unknown word and a word inside of a sentence reach the assistant (T12, TX)', () => {
  for (const text of [
    'yes',
    'ok',
    'go',
    'confirm',
    '/deploy',
    '/',
    '//new',
    'please /new',
    '/newer',
    '/new-ish',
    '/constructor',
    '/toString',
  ])
    assert.equal(said(text), undefined, text);
});

test('what follows a command is stored as it was written, whatever words it holds (TAA)', () => {
  assert.equal(said('/rename  pin:1234   and  two   spaces')?.args, 'pin:1234   and  two   spaces');
});

test('what a bot says is no command (J6)', () => {
  assert.equal(said('/new', { actor: { id: 'b', name: 'b', isBot: true } }), undefined);
});

test('every command fits the menus of the platforms', () => {
  for (const language of languages)
    for (const { name, description, takes } of menuFor('direct', phrasesFor(language))) {
      assert.match(name, /^[a-z][a-z-]{0,31}$/);
      assert.ok(description.length <= 100 && (takes ?? '').length <= 100, `${language} ${name}`);
    }
  assert.ok(commandNames.length <= 100);
});

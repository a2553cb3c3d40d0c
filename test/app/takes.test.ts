// Words and options that a command does not take are refused, and what a name may have meant is offered only where it is near.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { main } from '#app/main.ts';
import { nearestName } from '#base/nearest.ts';
import { openHouse } from './house.ts';
import { openTerminal } from './terminal.ts';

test('words and options that an action does not take are refused, with what it takes', async (t) => {
  const { call } = openTerminal(t);
  for (const [words, told] of [
    ['memory list x y', /"parley memory list" takes no words, got "x"/],
    ['memory reindex --limit 3', /"parley memory reindex" does not take --limit; it takes no options/],
    ['memory search x --format slack', /"parley memory search" does not take --format; it takes --limit/],
    ['memory show a b', /"parley memory show" takes one word, got "b"/],
    ['memory import a b --format directory', /takes one word, got "b"/],
    ['memory status --audience person:operator', /does not take --audience; it takes --deep/],
    ['memory distill a b', /takes one word/],
    ['sessions list x', /"parley sessions list" takes no words, got "x"/],
    ['sessions show x --title y', /"parley sessions show" does not take --title/],
    ['runs list --until-event 3', /"parley runs list" does not take --until-event/],
    ['runs replay x --limit 3', /"parley runs replay" does not take --limit; it takes --until-event/],
    ['events tail --limit 3', /"parley events tail" does not take --limit/],
    ['people list --name me', /"parley people list" does not take --name/],
    ['status --dry-run', /"parley status" does not take --dry-run; it takes --watch/],
    ['memory forget --dry-run', /"parley memory forget" does not take --dry-run/],
  ] as const) {
    const { code, err, out } = await call(...words.split(' '));
    assert.deepEqual([code, out], [2, ''], words);
    assert.match(err, told);
  }
});

test('an option that does not fit is refused with what was expected and what came', async (t) => {
  const { call } = openTerminal(t);
  for (const [words, told] of [
    ['memory list --audience foo', /--audience: expected person:ID or room:ADDRESS .*, got "foo"\.$/m],
    ['memory list --audience space:foo', /--audience: expected person:ID or .*, got "space:foo"\.$/m],
    ['memory list --limit abc', /--limit: expected a whole number from 1 to 1000, got "abc"\.$/m],
    ['memory list --limit=-1', /--limit: expected a whole number from 1 to 1000, got "-1"\.$/m],
    ['memory list --limit -1', /--limit: expected a whole number from 1 to 1000, got "-1"\.$/m],
    [
      'memory list --limit --kind',
      /--limit: expected a value, got the option "--kind"\.\n.* --limit=--kind\.$/m,
    ],
    ['memory list --limit', /"parley memory list" needs a value after --limit\.$/m],
    ['memory list --kind foo', /--kind: expected one of note, fact, .*, got "foo"\.$/m],
    ['memory list --key=', /--key: expected a value, got ""\.$/m],
    ['memory rem-backfill --from 0', /fit: --from: expected .* of days from 1 to 3650, got "0"\.$/m],
    ['memory distill x --importance 2', /--importance: expected a number from 0 to 1, got "2"\.$/m],
    [
      'memory put x --expires 2020-01-01',
      /--expires: expected a date in the future, as YYYY-MM-DD, got "2020-01-01"\.$/m,
    ],
    ['memory put x --expires soon', /--expires: expected a date in the future.*, got "soon"\.$/m],
    ['sessions list --limit 1001', /--limit: expected a whole number from 1 to 1000, got "1001"\.$/m],
    ['runs replay x --until-event a', /--until-event: expected a whole number from 0 on, got "a"\.$/m],
    ['hook create x --per-minute 0', /--per-minute: expected a whole number from 1 to 1000, got "0"\.$/m],
    [
      'token create --agent a --expires 9999',
      /--expires: expected .* of days from 1 to 3650, got "9999"\.$/m,
    ],
    ['console --name=', /--name: expected a value, got ""\.$/m],
    ['slack manifest --name=', /--name: expected a value, got ""\.$/m],
    ['init --provider foo', /--provider: expected one of openai, .*, got "foo"\.$/m],
  ] as const) {
    const { code, err, out } = await call(...words.split(' '));
    assert.deepEqual([code, out], [2, ''], words);
    assert.match(err, told);
  }
  assert.equal((await call('memory', 'put', 'x', '--expires', '2999-01-01')).code, 0);
});

test('a wrong call names the help that lists what it takes: that of the action, as it is called', async (t) => {
  const { call } = openTerminal(t);
  for (const [words, help] of [
    ['memory list --limit 0', 'memory list'],
    ['memory search', 'memory search'],
    ['sessions list --limit abc', 'sessions list'],
    ['people approve 3GSE7HHG --name Ann --role king', 'people approve'],
    ['token create --agent a --expires 9999', 'token create'],
    ['init --provider foo', 'init'],
  ] as const) {
    const { code, err } = await call(...words.split(' '));
    assert.equal(code, 2, words);
    assert.ok(err.endsWith(`See "parley ${help} --help".\n`), err);
  }
});

test('words that are empty are refused as words that are missing, with what was given', async (t) => {
  const { call } = openTerminal(t);
  for (const [words, told] of [
    [['memory', 'search', ''], /^parley: Expected a text to search for\.$/m],
    [['memory', 'search', '  '], /^parley: Expected a text to search for\.$/m],
    [['memory', 'preflight', ''], /^parley: Expected /m],
    [['sessions', 'show', ''], /^parley: Expected the id of a session, got ""\.$/m],
    [['hook', 'test', ''], /^parley: Expected the name of a webhook, got ""\.$/m],
  ] as const) {
    const { code, out, err } = await call(...words);
    assert.deepEqual([code, out], [2, ''], words.join(' '));
    assert.match(err, told);
  }
});

test('what is to be forgotten is chosen by options, and a call without one names them as they are typed', async (t) => {
  const { call } = openTerminal(t);
  const { code, out, err } = await call('memory', 'forget');
  assert.deepEqual([code, out], [2, '']);
  assert.match(
    err,
    /^parley: Expected at least one of --id, --person, .*--tag, --from, --until\.\nSee "parley memory forget --help"\.\n$/,
  );
});

test('memories are chosen by each option that is given, or the call is refused', async (t) => {
  const { call } = openTerminal(t);
  await call('memory', 'put', 'The boat is red', '--tag', 'boat', '--tag', 'old');
  await call('memory', 'put', 'The engine is new', '--tag', 'boat');
  for (const [words, told] of [
    ['list --tag boat --tag old', /Expected one --tag, got 2\.$/m],
    ['forget --tag boat --tag old --apply', /Expected one --tag, got 2\.$/m],
    ['list --kind note --until 2020-01-01', /Expected --until without --kind, --key, --tag and --pinned\.$/m],
  ] as const) {
    const { code, err, out } = await call('memory', ...words.split(' '));
    assert.deepEqual([code, out], [2, ''], words);
    assert.match(err, told);
  }
  assert.match((await call('memory', 'list', '--tag', 'boat')).out, /engine[\s\S]*red/);
  await call('memory', 'put', 'The boat has an engine', '--tag', 'boat');
  for (const narrowed of [[], ['--tag', 'boat'], ['--kind', 'note']]) {
    const containing = async (words: string) =>
      (await call('memory', 'list', '--contains', words, ...narrowed)).out;
    assert.match(await containing('red boats'), /^mem_.*\n {2}The boat is red\n(?!mem_)/);
    for (const words of ['boat sail', '!!'])
      assert.match(await containing(words), /^There is nothing/, words);
  }
});

test('a name that is near no other brings no suggestion, and one that is begun brings what it begins', async (t) => {
  const { call } = openTerminal(t, { server: {} });
  const unknown = await call('frobnicate');
  assert.equal(unknown.err, 'parley: "frobnicate" is not a command.\nSee "parley help".\n');
  assert.equal((await call('foo')).err, 'parley: "foo" is not a command.\nSee "parley help".\n');
  const begun = await call('stat');
  assert.match(begun.err, /^parley: "stat" is not a command\. The nearest is "status"\.\nSee "/);
  const action = await call('runs', 'lst');
  assert.match(
    action.err,
    /^parley: "lst" is not an action of ".*"\.\nThe nearest is "list"\. Choose one of/,
  );
  for (const line of `${begun.err}${action.err}`.split('\n')) assert.ok(line.length <= 80, line);
  const config = await call('check');
  assert.match(config.err, /"server" is not a key of the config\.$/m);
  assert.match(
    (await call('check', '--zzz')).err,
    /"parley check" does not take --zzz; it takes no options\.$/m,
  );
  assert.equal(nearestName('abc', []), undefined);
  assert.equal(nearestName('memroy_search', ['memory_store', 'memory_search']), 'memory_search');
  assert.equal(nearestName('serve', ['home']), undefined);
});

test('an import is yours when no audience is named, and for nobody who does not exist', async (t) => {
  const { folder, call } = openTerminal(t);
  const path = join(folder, 'note.md');
  writeFileSync(path, 'The kayak is green.');
  const wanted = ['memory', 'import', '--path', path, '--format', 'directory'];
  for (const audience of ['person:you', 'room:slack:T:C']) {
    const refused = await call(...wanted, '--audience', audience);
    assert.deepEqual([refused.code, refused.out], [2, '']);
    assert.match(refused.err, new RegExp(`There is no ${audience}: nobody could read`));
    assert.match(refused.err, /Leave --audience out for your own memory/);
  }
  assert.equal((await call('memory', 'put', 'x', '--audience', 'person:you')).code, 2);
  assert.equal((await call(...wanted)).code, 0);
  assert.match((await call('memory', 'status')).out, /1 {2}person:operator/);
});

test('an audience exists once the gateway has met it, and a person under another name is refused with the known one', async (t) => {
  const house = await openHouse(t);
  await house.ready('discord');
  await house.ask({ platform: 'discord', chat: 'dm', user: 'you' }, 'My bicycle is green.');
  await house.parley.close();
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const file = ['--config', join(house.folder, 'parley.config.json')];
  const call = (...words: string[]) => main(['memory', ...words, ...file], {}, { out: say, err: say });
  await call('status');
  const audience = /person:per_\w+/.exec(said.join('\n'))?.[0] ?? 'none';
  assert.equal(await call('put', 'The kayak is green.', '--audience', audience), 0);
  assert.equal(await call('put', 'The kayak is green.', '--audience', 'person:you'), 2);
  assert.match(said.join('\n'), new RegExp(`There is no person:you.*\\n.*Did you mean ${audience}`));
});

test('a single file of another kind than its format reads is refused, also over every format that takes files', async (t) => {
  const { folder, call } = openTerminal(t);
  mkdirSync(join(folder, 'etc'));
  const path = join(folder, 'etc', 'shadow');
  writeFileSync(path, 'root:$6$abc:19000:0:99999:7:::');
  for (const format of ['directory', 'openclaw', 'transcript', 'discord']) {
    const refused = await call('memory', 'import', path, '--format', format);
    assert.equal(refused.code, 1, format);
    assert.match(refused.err, /Expected a file that ends with \.|holds neither JSON of DiscordChatExporter/);
  }
  assert.match((await call('memory', 'status')).out, /^entries {4}0/);
});

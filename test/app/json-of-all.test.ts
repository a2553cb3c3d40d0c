// `--json` on every command: one JSON value, or one on each line, and nothing else; where it has no meaning it is refused.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { programCommands as commands } from '#app/cli/program-commands.ts';
import { createClient } from '#engine/client/client.ts';
import { found } from '../support/found.ts';
import { openHouse } from './house.ts';
import { audience, writeRecalls } from './recalled-home.ts';
import { callWith } from './terminal.ts';

const pairing = { directMessages: 'pairing' };

/** Their own tests look at what they print as JSON: they ask for lines, a network, a story, or a manager of services. */
const elsewhere = new Set([
  ...['chat', 'demo', 'init', 'memory download', 'events tail'],
  ...['service install', 'service status', 'service remove'],
]);

test('every command prints JSON when it is asked to, or refuses it', async (t) => {
  const house = await openHouse(t, {
    config: {
      agents: { team: { enabled: true } },
      memory: { dreaming: { enabled: true } },
      channels: { discord: pairing, slack: pairing },
    },
  });
  const { folder, home, parley } = house;
  const call = (...words: string[]) => callWith(join(folder, 'parley.config.json'), words);
  mkdirSync(join(folder, 'notes'));
  writeFileSync(join(folder, 'notes/key.md'), '# Notes\n\nThe key hangs behind the clock.\n');
  const client = createClient({
    baseUrl: parley.url,
    token: readFileSync(join(home, 'token'), 'utf8').trim(),
  });
  const { id: session } = await client.sessions.create();
  for (const text of ['My boat is called Tern.', 'It lies in Harlingen.'])
    await client.sessions.promptSync(session, text);
  const { id: spare } = await client.sessions.create();
  const [run] = await client.runs.list();
  const printed = new Set<string>();
  const wrong: string[] = [];
  /** Calls it, and looks at what it prints; the first id in that. */
  const json = async (name: string, ...words: string[]) => {
    const { code, out, err } = await call(...name.split(' '), ...words, '--json');
    printed.add(name);
    if (err !== '' || code > 1) wrong.push(`${name}: ${code} ${err}`);
    // the two that a person may read as they are
    const values = ['schema', 'slack manifest'].includes(name) ? [out] : out.trim().split('\n');
    try {
      for (const value of values) JSON.parse(value);
    } catch {
      wrong.push(`${name}: ${out.slice(0, 200)}`);
    }
    return /"id":"([^"]+)"/.exec(out)?.[1] ?? '';
  };
  for (const name of ['console', 'check', 'status', 'doctor', 'prune', 'uploads prune', 'schema', 'version'])
    await json(name);
  for (const name of ['sessions show', 'sessions compact', 'sessions context', 'sessions export'])
    await json(name, session);
  await json('sessions rename', session, 'Boats');
  for (const name of ['sessions archive', 'sessions unarchive', 'sessions list'])
    await json(name, ...(name.endsWith('list') ? [] : [session]));
  await json('sessions delete', spare, '--apply');
  for (const name of ['runs show', 'runs replay', 'runs export', 'events list'])
    await json(name, run?.runID ?? '');
  for (const name of [
    'runs list',
    'runs prune',
    'models list',
    'models forget',
    'skills list',
    'skills check',
  ])
    await json(name);
  await json('slack manifest');
  await json('slack manifest', '--link');
  await house.ready('discord', 'slack');
  const [admitted = '', denied = ''] = await Promise.all(
    (['discord', 'slack'] as const).map(async (platform) => {
      await house.sandbox[platform].say({ chat: 'dm', user: 'guest', text: 'hello' });
      return found('a code', () => {
        const [answer] = house.answers({ platform, chat: 'dm', user: 'guest' });
        return /people approve (\w{8})/.exec(answer?.text ?? '')?.[1];
      });
    }),
  );
  await json('people approve', admitted, '--name', 'dora', '--role', 'member');
  await json('people deny', denied);
  await house.ask({ platform: 'telegram', chat: 'dm', user: 'guest' }, 'hello');
  const account = house.sandbox.telegram.userID('guest');
  for (const name of ['people block', 'people unblock']) await json(name, `telegram:${account}`);
  await json('people list');
  await json('people show', 'dora');
  await json('people role', 'dora', 'owner');
  await json('people remove', 'dora');
  await house.ask({ platform: 'telegram', chat: 'room', user: 'you' }, 'hello');
  const [{ chat = '' } = {}] = await client.places.named();
  const [{ person = '' } = {}] = (await client.people.list()).others;
  const tea = await client.schedules.create({ person, chat, when: 'in 3 hours', text: 'Tea' });
  for (const words of [['list'], ['remove', tea.id]]) await json(`schedules ${words[0]}`, ...words.slice(1));
  const token = await json('token create', '--agent', 'coder');
  await json('token list');
  await json('token revoke', token);
  for (const name of ['hook create', 'hook list', 'hook test', 'hook delete'])
    await json(
      name,
      ...(name === 'hook list' ? [] : ['door']),
      ...(name === 'hook create' ? ['--chat', chat] : []),
    );
  await parley.close();
  await writeRecalls(home);

  const note = await json('memory put', 'The gate code is 4711.', '--kind', 'procedure');
  const whose = ['--audience', 'person:operator'];
  for (const name of ['memory show', 'memory pin', 'memory report']) await json(name, note, ...whose);
  await json(
    'memory promote',
    note,
    '--to',
    'knowledge',
    '--subject',
    'gates',
    '--reason',
    'tried',
    ...whose,
  );
  for (const name of ['memory preflight', 'memory search', 'memory note'])
    await json(name, 'gates', ...(name === 'memory preflight' ? whose : ['--audience', audience]));
  await json('memory knowledge', ...whose);
  await json('memory withdraw', note, ...whose);
  for (const name of ['memory demote', 'memory retract']) await json(name, note, ...whose);
  for (const name of [
    'status',
    'budget',
    'list',
    'audit',
    'files',
    'index',
    'reindex',
    'verify',
    'scan',
    'drop-caches',
    'rem-harness',
    'export',
  ])
    await json(`memory ${name}`);
  await json('memory import', join(folder, 'notes'), '--format', 'directory');
  const candidate = await json('memory promote');
  await json('memory promote-explain', candidate);
  await json('memory promote', '--apply');
  await json('memory get', 'MEMORY.md', '--audience', audience);
  await json('memory rem-backfill', '--from', '3');
  await json('memory distill', session);
  await json('memory forget', '--contains', 'gate');
  await json('export', join(folder, 'out'));
  await json('import', join(folder, 'out'));
  await json('backup', join(folder, 'backup'));
  await json('restore', join(folder, 'backup'), '--replace');
  assert.deepEqual(wrong, []);

  const all = allActions();
  for (const [name, has] of all) {
    if (has !== 'refused') continue;
    const { code, err } = await call(...name.split(' '), '--json');
    assert.deepEqual([code, /prints nothing as JSON/.test(err)], [2, true], name);
  }
  assert.deepEqual(
    all.flatMap(([name, has]) =>
      has === 'refused' || elsewhere.has(name) || printed.has(name) ? [] : [name],
    ),
    [],
    'not tried',
  );
});

/** Every command without actions and every action, with whether it refuses `--json`. */
function allActions(): (readonly [name: string, json: 'refused' | undefined])[] {
  return Object.entries(commands).flatMap(([name, { actions, ...own }]) =>
    actions === undefined
      ? [[name, own.json] as const]
      : Object.entries(actions).map(
          ([action, { json: has }]) => [`${name} ${action}`, has ?? own.json] as const,
        ),
  );
}

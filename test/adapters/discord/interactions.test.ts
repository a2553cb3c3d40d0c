// Slash commands from a person's click to the answer: the real gateway and discord.js against the sandbox's server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDiscordChannel } from '#adapters/discord/channel.ts';
import { appCommands } from '#adapters/discord/events/app-commands.ts';
import { commandNames } from '#adapters/gateway/terms/command-table.ts';
import { systemClock } from '#base/clock.ts';
import { createDiscordSandbox } from '#sandbox/discord/server.ts';
import { until } from '../../support/found.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { callback, channelSet, edited, type Stage, sent } from './slash-stage.ts';

const replaced = 'PUT /applications/:id/commands';
const added = 'POST /applications/:id/commands';

const dm = { chat: 'dm', user: 'you' } as const;

/** Fails if the log or the record of calls shows a token. */
function keepsSecret({ lines, sandbox }: Stage, token: string): void {
  assert.ok(![...lines, JSON.stringify(sandbox.calls())].some((line) => line.includes(token)));
}

const newWords = 'This is a new conversation. I still remember the earlier ones.';

test('the commands are registered at the start, and again only when they are others (I4)', async (t) => {
  const { sandbox, statuses, texts, restart } = await channelSet(t);
  assert.deepEqual(sandbox.commands().toSorted(), [...commandNames].toSorted());
  await restart();
  // whatever the start had to report Discord went out before this was answered
  sandbox.slash({ ...dm, name: 'help' });
  await until('the help stands', () => texts().some((text) => text.startsWith('I am Parley.')));
  assert.deepEqual(statuses(replaced), [200]);
  await fetch(`${sandbox.url}/v10/applications/${sandbox.botID}/commands`, {
    method: 'PUT',
    headers: { Authorization: `Bot ${sandbox.tokens.bot}` },
    body: JSON.stringify([{ name: 'help', description: 'of another version' }]),
  });
  await restart();
  assert.deepEqual(statuses(replaced), [200, 200, 200]);
});

const entryPoint = { name: 'launch', description: 'Launches the game', type: 4, handler: 2 };
const pizza = { name: 'pizza', description: 'of another program', type: 1 };

test("what is not Parley's stays, an Activity's entry point too, and only what is wrong is set", async (t) => {
  const its = await channelSet(t);
  const { sandbox, statuses, restart } = its;
  const url = `${sandbox.url}/v10/applications/${sandbox.botID}/commands`;
  const headers = { Authorization: `Bot ${sandbox.tokens.bot}` };
  const call = (method: string, body: object) => fetch(url, { method, headers, body: JSON.stringify(body) });
  const standing = async () =>
    (await fetch(url, { headers })).json() as Promise<{ id: string; name: string; description: string }[]>; // Discord's
  for (const body of [
    entryPoint,
    pizza,
    { name: 'help', description: 'of another version' },
    { ...pizza, name: 'new', type: 2, description: '' },
  ])
    await call('POST', body);
  const refused = await call('PUT', []);
  assert.equal(((await refused.json()) as { code: number }).code, 50240);
  const before = await standing();
  await restart();
  await until('help is as it should be', () => statuses(added).length === 5);
  const after = await standing();
  for (const one of before.filter(
    ({ name, description }) => description !== 'of another version' && name !== 'help',
  ))
    assert.deepEqual(
      after.find(({ id }) => id === one.id),
      one,
    );
  assert.equal(after.find(({ name }) => name === 'help')?.description, 'what I can do here');
  assert.equal(after.length, commandNames.length + 3);
  assert.deepEqual(statuses(replaced), [200, 400]);
});

test('the doctor says what was set and when, what will be, and what stays as it is', async (t) => {
  const sandbox = await createDiscordSandbox({ clock: systemClock });
  t.after(() => sandbox.close());
  const { log } = quietLog();
  const channel = createDiscordChannel({
    token: sandbox.tokens.bot,
    apiUrl: sandbox.url,
    clock: systemClock,
    log,
  });
  const findings = async (connected: boolean): Promise<string> => {
    const standing = connected
      ? ({ connected, sinceMs: 0, lastInboundMs: undefined } as const)
      : { connected: false as const, probeSeconds: 0 };
    return (await channel.check(standing)).map(({ level, what }) => `${level}: ${what}`).join('\n');
  };
  assert.match(
    await findings(false),
    /^ok: Discord offers 0 of Parley's slash commands\.\nok: At its next start Parley adds \/help, \/new, /m,
  );
  const url = `${sandbox.url}/v10/applications/${sandbox.botID}/commands`;
  const headers = { Authorization: `Bot ${sandbox.tokens.bot}` };
  await fetch(url, { method: 'PUT', headers, body: JSON.stringify([...appCommands, entryPoint, pizza]) });
  const day = new Date().toISOString().slice(0, 10);
  const all = await findings(true);
  assert.match(
    all,
    new RegExp(
      `^ok: Discord offers ${commandNames.length} of Parley's slash commands; the last that were set are all of them, ${day} `,
      'm',
    ),
  );
  assert.match(all, /^ok: Other commands of the application stay as they are: launch, pizza\.$/m);
  await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'help', description: 'another' }),
  });
  assert.match(await findings(true), /^warning: Parley replaces \/help, which are there in another form/m);
});

test('a slash command is deferred at once and answered in its place, while its lane is busy with a run (I4)', async (t) => {
  // The adapter's time stands still: whatever it does here, it waits for nothing.
  const its = await channelSet(t, createManualClock());
  const { sandbox, engine, statuses } = its;
  await sandbox.say({ ...dm, text: 'a long question' });
  await until('the run began', () => engine.runs[0]?.run.status === 'running');
  const help = sandbox.slash({ ...dm, name: 'help' });
  await until('the help stands', () => its.texts().some((text) => text.startsWith('I am Parley.')));
  const stop = sandbox.slash({ ...dm, name: 'stop' });
  await until('the run was stopped', () => engine.runs[0]?.run.status === 'cancelled');
  await until('it was said', () => its.texts().includes('Stopped.'));
  assert.deepEqual(statuses(callback), [204, 204]);
  assert.deepEqual(statuses(edited), [200, 200]);
  assert.ok(!its.texts().includes('thinking…'));
  assert.equal(engine.runs.length, 1, 'commands start no run');
  for (const { token } of [help, stop]) keepsSecret(its, token);
});

test('a result later than fifteen minutes goes to the channel, once (I4)', async (t) => {
  const its = await channelSet(t);
  const go = its.hold();
  const { token } = its.sandbox.slash({ ...dm, name: 'new' });
  await until('the sign stands', () => its.texts().includes('thinking…'));
  its.later(15 * 60_000);
  go();
  await until('the answer exists', () => its.texts().includes(newWords));
  await its.restart();
  assert.deepEqual(its.texts(), ['thinking…', newWords]);
  assert.deepEqual(its.statuses(edited), [401]);
  assert.deepEqual(its.statuses(sent), [200]);
  keepsSecret(its, token);
});

test('a command that Discord has given up before its deferral is obeyed, and answered in the channel (I4)', async (t) => {
  const its = await channelSet(t);
  const { token } = its.sandbox.slash({ ...dm, name: 'new' });
  its.later(3_001);
  await until('the answer exists', () => its.texts().includes(newWords));
  assert.deepEqual(its.statuses(callback), [404]);
  assert.deepEqual(its.statuses(edited), [404]);
  assert.deepEqual(its.statuses(sent), [200]);
  assert.equal(its.engine.sessions.length, 1);
  assert.ok(its.lines.some((line) => line.includes('slash command not deferred')));
  keepsSecret(its, token);
});

test('an interaction that is reported again is obeyed once, also by the next start (I4, A3)', async (t) => {
  const its = await channelSet(t);
  const { id } = its.sandbox.slash({ ...dm, name: 'new' });
  await until('the answer exists', () => its.texts().includes(newWords));
  its.sandbox.redeliverSlash(id);
  await until('it was acknowledged again', () => its.statuses(callback).length === 2);
  await its.restart();
  its.sandbox.redeliverSlash(id);
  await until('it was acknowledged again', () => its.statuses(callback).length === 3);
  its.sandbox.slash({ ...dm, name: 'stop' });
  await until('the next one is answered', () => its.texts().includes('There is nothing to stop.'));
  assert.deepEqual(its.statuses(callback), [204, 400, 400, 204]);
  assert.deepEqual(its.texts(), [newWords, 'There is nothing to stop.']);
  assert.equal(its.engine.sessions.length, 1);
});

test('a restart between the deferral and the answer still puts the answer in its place (I4)', async (t) => {
  const its = await channelSet(t);
  its.hold();
  const { token } = its.sandbox.slash({ ...dm, name: 'new' });
  await until('the sign stands', () => its.texts().includes('thinking…'));
  await its.restart();
  await until('the answer exists', () => its.texts().includes(newWords));
  assert.deepEqual(its.texts(), [newWords]);
  assert.deepEqual(its.statuses(sent), []);
  keepsSecret(its, token);
});

test('a deferral whose answer was lost is tried again (I4)', async (t) => {
  const its = await channelSet(t);
  its.sandbox.inject({ kind: 'lost_response', target: 'acknowledge', times: 1 });
  its.sandbox.slash({ ...dm, name: 'new' });
  await until('the answer stands', () => its.texts().includes(newWords));
  assert.deepEqual(its.statuses(callback), [0, 400]);
  assert.deepEqual(its.texts(), [newWords]);
});

// Missions leave with an export and come back with the sessions that they belong to.

import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock as clock } from '#base/clock.ts';
import { createHttpApp } from '#engine/http/app.ts';
import { exportAll, importAll } from '#engine/transfer.ts';
import type { EngineService } from '#engine/wire/service.ts';
import type { WireMission } from '#engine/wire/teams/team.ts';
import { found } from '../support/found.ts';
import { quietLog } from '../support/quiet-log.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { bearer, token } from './http/kit.ts';
import { ask, begin, openKit, originOf, textBody } from './support/kit.ts';
import { chef, missionOf, type Script, startScripted, teamOf } from './teams/team-kit.ts';

const never = Promise.withResolvers<void>().promise;
const host = '127.0.0.1:7410';
const names = ['missions.json', 'questions.json', 'session_meta.json', 'sessions.json'];

/** What `GET /agent-team/missions` answers. */
async function listed(engine: EngineService): Promise<WireMission[]> {
  const { log } = quietLog();
  const app = createHttpApp({ engine, token, hosts: () => [host], clock, log, version: '1' });
  const response = await app.request('/agent-team/missions', { headers: { host, ...bearer } });
  assert.equal(response.status, 200);
  return ((await response.json()) as { missions: WireMission[] }).missions;
}

/** An engine with teams, whose model answers by the script. */
async function home(t: TestContext, script: Script) {
  const model = await startScripted(t, script);
  const kit = await openKit(t, { model: model.settings, team: teamOf() });
  return { model, kit, path: join(kit.folder, 'engine.sqlite'), folder: join(kit.folder, 'out') };
}

/** A finished mission of a chat, one that no run began, and their export. */
async function finished(t: TestContext) {
  const from = await home(t, chef);
  const { engine } = from.kit;
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  await ask(engine, id, textBody('How long is the bridge?', originOf()));
  const request = { missionID: 'nightly', templateID: 'researcher', prompt: 'Look it up.' };
  const single = await engine.spawn(request, { idempotencyKey: 'k' });
  assert.ok(single.ok);
  await found('the completed mission', async () => {
    const [mission] = await engine.missions({ missionID: 'nightly' });
    return mission?.status === 'completed' ? mission : undefined;
  });
  const missions = await listed(engine);
  const report = await exportAll({ path: from.path, folder: from.folder, clock });
  assert.deepEqual(report, { sessions: 5, questions: 0, missions: 2 });
  return { ...from, engine, missions, request, id };
}

/** Another home with what the folder holds, and the engine over it. */
async function imported(t: TestContext, folder: string, script: Script) {
  const to = await home(t, script);
  await to.kit.engine.close();
  const report = await importAll({ path: to.path, folder, clock });
  return { ...to, report, engine: await to.kit.restart() };
}

const filesIn = (folder: string) => names.map((name) => readFileSync(join(folder, name), 'utf8'));

test('a finished mission is shown after an import as it was before, and a second import changes nothing', async (t) => {
  const { folder, missions, engine: first, request, id } = await finished(t);
  const { engine, model, path, report, kit } = await imported(t, folder, chef);
  assert.deepEqual(report.missions, { stored: 2, present: 0 });
  assert.deepEqual(await listed(engine), missions);
  const { instances } = await missionOf(engine, id);
  assert.deepEqual(
    instances.map(({ templateID, status }) => [templateID, status]),
    [
      ['researcher', 'completed'],
      ['researcher', 'completed'],
      ['reviewer', 'completed'],
    ],
  );
  for (const { sessionID, runID = '' } of instances) {
    const session = await engine.getSession({ sessionID });
    assert.deepEqual(session, await first.getSession({ sessionID }));
    assert.equal(session?.parentID, id);
    const text = (await engine.getRun({ runID })).text;
    assert.ok(text === 'sound' || text?.startsWith('The bridge is 40 m'), text);
  }
  const again = await engine.spawn(request, { idempotencyKey: 'k' });
  assert.ok(again.ok && again.idempotentReplay === true, 'its key starts no second agent');
  assert.equal(model.asked.length, 0);
  await engine.close();

  const out = join(kit.folder, 'again');
  await exportAll({ path, folder: out, clock });
  assert.deepEqual(filesIn(out), filesIn(folder));
  assert.deepEqual((await importAll({ path, folder, clock })).missions, { stored: 0, present: 2 });
  await exportAll({ path, folder: out, clock });
  assert.deepEqual(filesIn(out), filesIn(folder));

  // Its session is deleted and comes back: so does the mission.
  const later = await kit.restart();
  await later.deleteSession({ sessionID: id });
  assert.equal((await listed(later)).length, 1);
  await later.close();
  assert.deepEqual((await importAll({ path, folder, clock })).missions, { stored: 1, present: 1 });
});

test('what was working when it was exported is interrupted after the import, and no agent is started', async (t) => {
  const { kit, path, folder } = await home(t, async (asked) =>
    asked.system.includes('You are a researcher') ? { held: never } : chef(asked),
  );
  const { engine: busy } = kit;
  const { id } = await busy.createSession({ sourceKind: 'channel' });
  await begin(busy, id, textBody('How long is the bridge?', originOf()));
  assert.ok((await busy.spawn({ missionID: 'nightly', templateID: 'researcher', prompt: 'Look.' })).ok);
  await found('three running agents', async () => {
    const all = (await busy.missions({})).flatMap(({ instances }) => instances);
    return all.filter(({ status }) => status === 'running').length === 3 ? all : undefined;
  });
  await exportAll({ path, folder, clock });
  const { engine, model, report } = await imported(t, folder, chef);
  assert.deepEqual(report.missions, { stored: 2, present: 0 });
  const missions = await listed(engine);
  assert.equal(missions.length, 2);
  for (const { status, reason, reserved, endedAtMs, instances } of missions) {
    assert.equal(status, 'interrupted');
    assert.equal(reason, 'It was exported while it was working.');
    assert.ok(endedAtMs !== undefined);
    assert.equal(reserved.tokens, 0);
    for (const instance of instances) assert.equal(instance.status, 'interrupted');
  }
  assert.equal(model.asked.length, 0);
});

test('an export of an earlier version, without missions, is imported, and a later one leaves its sessions as they are', async (t) => {
  const { folder } = await finished(t);
  const place = tempFolder(t);
  const old = join(place, 'old');
  cpSync(folder, old, { recursive: true });
  rmSync(join(old, 'missions.json'));
  const path = join(place, 'engine.sqlite');
  assert.deepEqual(await importAll({ path, folder: old, clock }), {
    sessions: { stored: 5, present: 0 },
    questions: { stored: 0, present: 0 },
    missions: { stored: 0, present: 0 },
  });
  assert.deepEqual((await importAll({ path, folder, clock })).missions, { stored: 0, present: 2 });
  assert.equal((await exportAll({ path, folder: join(place, 'out'), clock })).missions, 0);
});

test('a mission whose id another one has here is refused, and nothing is written', async (t) => {
  const { folder } = await finished(t);
  const { kit, path } = await home(t, chef);
  const request = { missionID: 'nightly', templateID: 'researcher', prompt: 'Look once more.' };
  assert.ok((await kit.engine.spawn(request)).ok);
  await kit.engine.close();
  await assert.rejects(importAll({ path, folder, clock }), {
    code: 'broken_import',
    message: /does not fit what is here already \(UNIQUE .*team_missions\.id\)/,
  });
  const report = await exportAll({ path, folder: join(kit.folder, 'out'), clock });
  assert.deepEqual(report, { sessions: 1, questions: 0, missions: 1 });
});

test('a broken file of missions is refused by its name and the path of the fault, and nothing is written', async (t) => {
  const { folder } = await finished(t);
  const name = 'missions.json';
  const whole = readFileSync(join(folder, name), 'utf8');
  // biome-ignore lint/suspicious/noExplicitAny: what is broken has no type
  const changed = (work: (all: any) => void): string => {
    const all = JSON.parse(whole);
    work(all);
    return JSON.stringify(all);
  };
  const bad: [content: string, words: RegExp][] = [
    [whole.slice(0, -20), /^missions\.json is not valid JSON/],
    [changed((all) => delete all[0].budget), /^missions\.json: 0\.budget: /],
    [changed((all) => Object.assign(all[0], { status: 'odd' })), /^missions\.json: 0\.status: /],
    [changed((all) => delete all[0].instances[1].spent.ms), /^missions\.json: 0\.instances\.1\.spent\.ms: /],
    [
      changed((all) => Object.assign(all[0], { sessionID: 'ses_x' })),
      /^missions\.json: 0\.sessionID: there is no such session/,
    ],
    [changed((all) => all.push(all[0])), /^missions\.json: 2\.id: .* stands twice/],
    [
      changed((all) => Object.assign(all[0].instances[0], { parentID: all[0].instances[1].id })),
      /^missions\.json: 0\.instances\.0\.parentID: no instance before it/,
    ],
    [
      changed((all) => Object.assign(all[0].instances[0], { depth: 2 })),
      /^missions\.json: 0\.instances\.0\.depth: expected 1, got 2/,
    ],
    [
      changed((all) => Object.assign(all[1].instances[0], { sessionID: all[0].instances[0].sessionID })),
      /^missions\.json: 1\.instances\.0\.sessionID: another instance has this session/,
    ],
    // Two agents of one key: the database refuses it.
    [
      changed((all) =>
        Object.assign(all[1].instances[0], { idempotencyKey: all[0].instances[0].idempotencyKey }),
      ),
      /does not fit what is here already \(UNIQUE .*idempotency_key\)/,
    ],
  ];
  for (const [content, words] of bad) {
    const place = tempFolder(t);
    cpSync(folder, join(place, 'in'), { recursive: true });
    writeFileSync(join(place, 'in', name), content);
    const path = join(place, 'engine.sqlite');
    await assert.rejects(importAll({ path, folder: join(place, 'in'), clock }), (error: Error) => {
      assert.match(error.message, words);
      assert.match(error.message, /Nothing was imported\.$/);
      return true;
    });
    assert.deepEqual(await exportAll({ path, folder: join(place, 'out'), clock }), {
      sessions: 0,
      questions: 0,
      missions: 0,
    });
  }
});

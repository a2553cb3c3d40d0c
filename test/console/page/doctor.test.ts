// What the doctor finds, on the page Now: the warnings of `parley doctor` with what to do about each.
import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import { loadConfig } from '#app/config/load.ts';
import { runDiagnostics } from '#app/doctor/doctor.ts';
import { systemClock } from '#base/clock.ts';
import type { DoctorReport } from '#engine/wire/operator/operator.ts';
import { openHouse } from '../../app/house.ts';
import { callWith } from '../../app/terminal.ts';
import { found, until } from '../../support/found.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { clientOf, scriptedHouse, signedIn, skip } from './browser.ts';

test('each warning of the doctor is on the page Now with what to do, until the next look finds it fixed', {
  skip,
}, async (t) => {
  const vault = { path: tempFolder(t), audience: 'everyone' };
  const house = await scriptedHouse(t, 'Noted.', {}, { memory: { files: { extra: [vault] } } });
  chmodSync(house.home, 0o755);
  const { page, accessible } = await signedIn(t, house);
  const doctor = page.getByRole('region', { name: 'Doctor' });
  const all = doctor.getByRole('button', { name: 'Look at everything' });
  await doctor.getByText('Looked just now').waitFor();
  const card = (text: RegExp) => doctor.getByRole('listitem').filter({ hasText: text });
  await card(/The home folder can be read by other users/)
    .getByText(/^chmod 700 /)
    .waitFor();
  await card(/No chat reads/)
    .getByText(/Set `memory.sharing` to everyone/)
    .waitFor();
  await accessible();

  await all.click();
  await found('the whole look', async () => {
    const { state, findings } = await clientOf(house).doctor.report();
    return state === 'done' && findings.some(({ what }) => /memory.sqlite is whole/.test(what))
      ? true
      : undefined;
  });
  // the same findings as the command has, except those on platforms, which the sandbox plays
  const loaded = loadConfig({ folder: house.folder, variables: {} });
  const sections = await runDiagnostics({ loaded, folder: house.folder, clock: systemClock });
  const shown = (await doctor.textContent()) ?? '';
  const wrong = sections
    .filter(({ about }) => ['machine', 'files', 'memory', 'program', 'teams'].includes(about))
    .flatMap(({ remarks }) => remarks.filter(({ level }) => level !== 'ok'));
  assert.ok(wrong.length >= 2);
  for (const { what, hint = '' } of wrong) assert.ok(shown.includes(what) && shown.includes(hint), what);

  chmodSync(house.home, 0o700);
  await all.click();
  await card(/The home folder can be read/).waitFor({ state: 'detached' });
  assert.equal(await card(/No chat reads/).count(), 1);
  assert.equal((await clientOf(house).doctor.report()).state, 'done');
});

test('findings say how old they are, and are looked at again when the page opens and they are old', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  const { page } = await signedIn(t, house);
  await page.getByText('platforms; looked').waitFor();
  const full = {
    about: 'files',
    level: 'warning',
    what: 'The disk is nearly full.',
    fixable: false,
  } as const;
  let report: DoctorReport;
  let answered = Promise.withResolvers<void>();
  const looks: unknown[] = [];
  const reported = (minutes: number, more: Partial<DoctorReport>): void => {
    report = {
      ...{ state: 'done', atMs: Date.now() - minutes * 60_000, findings: [full], error: null, quick: true },
      ...more,
    };
  };
  await page.route('**/doctor', async (route) => {
    if (route.request().method() === 'POST') {
      looks.push(route.request().postDataJSON());
      await answered.promise;
    }
    await route.fulfill({ json: report });
  });
  const doctor = page.getByRole('region', { name: 'Doctor' });
  const age = (text: RegExp) => doctor.locator('time', { hasText: text }).waitFor();

  reported(30, {});
  await page.reload();
  await age(/30 min/);
  await doctor.getByText('The disk is nearly full.').waitFor(); // what is known is shown until the look is over
  await until('it is looked at again', () => looks.length > 0);
  reported(0, { findings: [] });
  answered.resolve();
  await age(/just now/);
  await doctor.getByText('All is well').waitFor();
  assert.deepEqual(looks, [{ quick: true }]);

  // a look at everything is not taken for old so soon, since the quick one would find less
  answered = Promise.withResolvers();
  answered.resolve();
  reported(30, { quick: false });
  await page.reload();
  await age(/30 min/);
  reported(61, { quick: false });
  await page.reload();
  await until('it is looked at again', () => looks.length > 1);
  assert.deepEqual(looks, [{ quick: true }, { quick: true }], 'the first of the two reloads asked for none');
});

test('a model that refuses its key is one problem on the page Now, however many channels wait for it', {
  skip,
}, async (t) => {
  const model = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent' });
  await model.start();
  model.addFixture({
    match: { userMessage: /.*/ },
    response: { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' }, status: 401 },
  });
  const variables = { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: `${model.url}/v1` };
  const house = await openHouse(t, { config: { model: { name: 'any' } }, variables });
  t.after(() => model.stop());
  await house.ready('discord', 'telegram', 'slack');
  assert.match(await house.ask({ platform: 'discord', chat: 'dm', user: 'you' }, 'hello'), /refused my key/);
  const { page, accessible } = await signedIn(t, house);
  await page.getByText('platforms; looked').waitFor();
  const problem = page.getByText('The model provider refused the key of this bot');
  await problem.waitFor();
  assert.equal(await problem.count(), 1);
  await accessible();
  const status = await callWith(join(house.folder, 'parley.config.json'), ['status']);
  assert.equal(
    status.out.replace(/\s+/g, ' ').split('refused the key of this bot').length - 1,
    1,
    status.out,
  );
});

test('a viewer is not shown what the doctor finds', { skip }, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  const { page } = await signedIn(t, house, { role: 'viewer' });
  await page.getByRole('heading', { level: 2, name: /^In progress/ }).waitFor();
  assert.equal(await page.getByRole('region', { name: 'Doctor' }).count(), 0);
});

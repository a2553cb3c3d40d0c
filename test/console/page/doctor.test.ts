// What the doctor finds, on the page Now: the warnings of `parley doctor` with what to do about each.
import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { test } from 'node:test';
import { loadConfig } from '#app/config/load.ts';
import { runDiagnostics } from '#app/doctor/doctor.ts';
import { systemClock } from '#base/clock.ts';
import { found } from '../../support/found.ts';
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

test('a viewer is not shown what the doctor finds', { skip }, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  const { page } = await signedIn(t, house, { role: 'viewer' });
  await page.getByRole('heading', { level: 2, name: /^In progress/ }).waitFor();
  assert.equal(await page.getByRole('region', { name: 'Doctor' }).count(), 0);
});

// Each example of a config that the pages show is started as it is there: nothing in it is refused only once Parley runs.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startParley } from '#app/compose/compose.ts';
import { loadConfig } from '#app/config/load.ts';
import { systemClock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import { shownConfigs } from '../support/pages.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Starts it in an empty folder, on a port that is free, and ends it. */
async function started(t: TestContext, value: { engine?: object }, variables: Record<string, string>) {
  const folder = tempFolder(t);
  const config = { ...value, home: 'home', engine: { ...value.engine, port: 0 } };
  writeFileSync(join(folder, 'parley.config.json'), JSON.stringify(config));
  const parley = await startParley(loadConfig({ folder, variables }), { clock: systemClock });
  await parley.close();
}

/** What the page says that the example needs. */
const needsKey = (value: { channels?: { voice?: { provider?: string } } }): boolean =>
  value.channels?.voice !== undefined && value.channels.voice.provider === undefined;

test('Parley starts with every config that the pages show', async (t) => {
  assert.ok(shownConfigs.length > 20);
  const wrong: string[] = [];
  for (const { path, value } of shownConfigs) {
    const variables: Record<string, string> = needsKey(value) ? { OPENAI_API_KEY: 'sk-none' } : {};
    await started(t, value, variables).catch((error: unknown) => {
      wrong.push(`${path}: ${errorMessage(error)} ${JSON.stringify(value)}`);
    });
  }
  assert.deepEqual(wrong, []);
});

test('a start that is refused leaves nothing running', async (t) => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  await assert.rejects(started(t, { channels: { voice: { model: 'x' } } } as object, {}), {
    code: 'model_settings',
    message: 'The model provider openai needs an API key; none is set.',
  });
  assert.equal(timers(), before);
});

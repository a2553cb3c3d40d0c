// Files that an editor begins with a byte order mark.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfig } from '#app/config/load.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('a byte order mark before the config and before the first variable of .env is no part of them (R25)', (t) => {
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'parley.config.json'), '\ufeff{ "timeZone": "Europe/Berlin" }');
  writeFileSync(join(folder, '.env'), '\ufeffTELEGRAM_BOT_TOKEN=1234:token\n');
  const { config, environment, variables, warnings } = loadConfig({ folder, variables: {} });
  assert.equal(config.timeZone, 'Europe/Berlin');
  assert.equal(environment.TELEGRAM_BOT_TOKEN, '1234:token');
  assert.equal(variables.TELEGRAM_BOT_TOKEN, '1234:token');
  assert.deepEqual(warnings, []);
});

// Where the sandbox listens: only on this machine, unless the config says that others may reach it.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startParley } from '#app/compose/compose.ts';
import { startSandbox } from '#app/compose/sandbox.ts';
import { loadConfig } from '#app/config/load.ts';
import { systemClock } from '#base/clock.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('a sandbox on an address that other machines reach does not start, unless the config exposes it', async (t) => {
  const folder = tempFolder(t);
  const sandbox = await startSandbox(systemClock);
  t.after(() => sandbox.close());
  const start = (engine: object) => {
    const config = { engine: { port: 0, ...engine }, log: { level: 'silent' } };
    writeFileSync(join(folder, 'parley.config.json'), JSON.stringify(config));
    const loaded = loadConfig({ folder, variables: {} });
    return startParley(loaded, { clock: systemClock, sandbox });
  };
  for (const host of ['0.0.0.0', '::', '192.168.1.7', 'parley.lan', '::ffff:192.168.1.7'])
    await assert.rejects(
      start({ host }),
      { code: 'sandbox_exposed', message: new RegExp(`does not listen on ${host.replaceAll('.', '\\.')} `) },
      host,
    );
  for (const engine of [
    { host: 'localhost' },
    { host: '127.0.0.1' },
    { host: '0.0.0.0', exposeSandbox: true },
  ]) {
    const parley = await start(engine);
    const { status } = await fetch(`http://127.0.0.1:${new URL(parley.url).port}/`);
    assert.equal(status, 401);
    await parley.close();
  }
});

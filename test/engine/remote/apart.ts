// An engine elsewhere with a file that a run wrote, and the way to it, for the tests of links. No test.
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createUploadStore } from '#adapters/uploads/store.ts';
import { createActiveProblems } from '#base/active-problems.ts';
import type { Clock } from '#base/clock.ts';
import { createSecrets } from '#base/secrets.ts';
import { connectEngine } from '#engine/remote/remote-engine.ts';
import { serveKit, token } from '../../conformance/engines.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { begin, openKit, textBody } from '../support/kit.ts';
import { startRaw } from '../support/raw-provider.ts';

export const size = 3_000_000;
export const content = Array.from({ length: size / 10 }, (_, line) => `${line}`.padStart(9, ' ')).join('\n');

/** An engine elsewhere, asked with `fetch` at what `through` makes of its URL; with a run that wrote a file of `content`. */
export async function openApart(
  t: TestContext,
  how: { clock: Clock; fetch?: typeof fetch; through?: (url: string) => Promise<string> },
) {
  const { clock, fetch, through = async (url) => url } = how;
  const raw = await startRaw(t);
  const uploads = createUploadStore({ folder: tempFolder(t), limitBytes: 2 * size });
  const kit = await openKit(t, { model: raw.settings, readUpload: uploads.read });
  const names: string[] = [];
  const served = await serveKit(t, { kit, uploads, names });
  const baseUrl = await through(served.url);
  names.push(new URL(baseUrl).host);
  const problems = createActiveProblems(clock);
  const engine = await connectEngine({
    baseUrl,
    token,
    version: '1',
    folder: join(tempFolder(t), 'copies'),
    secrets: createSecrets([]),
    clock,
    log: quietLog().log,
    problems,
    fetch,
  });
  t.after(() => engine.close());
  const { id } = await kit.engine.createSession({});
  const runID = await begin(kit.engine, id, textBody('write it'));
  (await raw.next()).callTool('artifact', { name: 'numbers.txt', content });
  const call = await raw.next();
  call.say('Here.');
  call.finish();
  const [artifact] = (await kit.engine.finished(runID)).artifacts ?? [];
  if (artifact === undefined) throw new Error('The run wrote no file.');
  return { engine, kit, clock, problems, artifact, uploads };
}

// The token file: made once, kept closed, never replaced in silence.
import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ParleyError } from '#base/errors.ts';
import { ensureToken, readToken } from '#engine/http/guards/token.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const unusable = (words: RegExp) => (error: unknown) =>
  error instanceof ParleyError &&
  error.code === 'token_unusable' &&
  words.test(error.message) &&
  error.hint !== undefined;

test('an empty token file is refused with what to do, and left as it is', async (t) => {
  const path = join(tempFolder(t), 'token');
  await writeFile(path, ' \n');
  await assert.rejects(ensureToken(path), unusable(/is empty/));
  assert.equal(await readFile(path, 'utf8'), ' \n');
});

test('a token that is too short or cannot be in a header is refused, without its text in the message', async (t) => {
  const path = join(tempFolder(t), 'token');
  for (const wrong of ['short', 'two words that are long enough', 'größe-größe-größe-größe']) {
    await writeFile(path, wrong);
    await assert.rejects(ensureToken(path), (error: unknown) => {
      assert.ok(error instanceof Error && !error.message.includes(wrong));
      return unusable(/at least 16/)(error);
    });
  }
});

test('a folder in place of the token file is refused with a message', async (t) => {
  const path = join(tempFolder(t), 'token');
  await mkdir(path);
  await assert.rejects(ensureToken(path), unusable(/cannot be read \(EISDIR\)/));
});

test('the first start makes a random token of 32 bytes, in a folder that may not be there yet', async (t) => {
  const home = tempFolder(t);
  const token = await ensureToken(join(home, 'new', 'token'));
  assert.equal(Buffer.from(token, 'base64url').length, 32);
  assert.notEqual(token, await ensureToken(join(home, 'other')));
});

test('the token stays the same at the next start, and its file is readable by its owner alone', async (t) => {
  const path = join(tempFolder(t), 'token');
  const token = await ensureToken(path);
  assert.equal(await ensureToken(path), token);
  if (process.platform !== 'win32') assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test('a token file that the group or others can read, write or run is closed to all but its owner', async (t) => {
  if (process.platform === 'win32') return t.skip('Windows has no file modes');
  for (const mode of [0o640, 0o660, 0o620, 0o610, 0o604, 0o602, 0o601, 0o644]) {
    const path = join(tempFolder(t), 'token');
    await writeFile(path, 'sixteen-characters-and-more\n');
    await chmod(path, mode);
    assert.equal(await ensureToken(path), 'sixteen-characters-and-more');
    assert.equal((await stat(path)).mode & 0o777, 0o600, mode.toString(8));
  }
});

test('a token of sixteen characters is long enough, one of fifteen is not, and a file that must be there is not made', async (t) => {
  const path = join(tempFolder(t), 'token');
  await assert.rejects(readToken(path), { code: 'token_missing' });
  await assert.rejects(stat(path), { code: 'ENOENT' });
  await writeFile(path, `${'x'.repeat(16)}\n`);
  assert.deepEqual([await readToken(path), await ensureToken(path)], ['x'.repeat(16), 'x'.repeat(16)]);
  await writeFile(path, 'x'.repeat(15));
  for (const read of [readToken, ensureToken]) await assert.rejects(read(path), unusable(/at least 16/));
});

// Files of the uploads folder in a conversation: shown while they fit, never from anywhere else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withFiles } from '#engine/context/attachments.ts';
import { createDocumentReader } from '#engine/context/document-reader.ts';
import { takesFile } from '#engine/providers/files.ts';
import type { Part } from '#engine/sessions/part-rows.ts';
import type { StoredMessage } from '#engine/sessions/wire-shapes.ts';
import { uploadPath, uploadUrl } from '#engine/wire/runs/upload-url.ts';

const file = (url: string, mime = 'image/png'): Part => ({
  id: 'prt',
  type: 'file',
  mime,
  filename: 'f',
  url,
});
const message = (id: string, ...parts: Part[]): StoredMessage => ({
  id,
  sessionID: 'ses',
  role: 'user',
  createdAtMs: 1,
  parts,
});
const urls = (messages: readonly StoredMessage[]) =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'file' ? [part.url] : [])));

test('an upload is named by a path inside the folder, and by nothing else (T27)', () => {
  for (const path of ['slack/T1_U1/20260102T030405Z_größe 1.png', 'a/b/c%2e%2e'])
    assert.equal(uploadPath(uploadUrl(path)), path);
  for (const url of [
    'upload:../x',
    'upload:a/../b',
    'upload:a/%2e%2e/b',
    'upload:/etc/passwd',
    'upload:a%2Fb',
    'upload:a/.hidden',
    'upload:%',
    'upload:',
    'file:///etc/passwd',
    'http://127.0.0.1/',
  ])
    assert.equal(uploadPath(url), undefined, url);
});

test('the newest files are shown first, as far as number and bytes go; the others are only named', async (t) => {
  const asked: string[] = [];
  const options = {
    takesFile: ({ mime }: { mime: string }) => mime.startsWith('image/'),
    async readUpload(path: string, maxBytes: number) {
      asked.push(path);
      return path === 'gone' || maxBytes < 6 * 1024 * 1024 ? undefined : new Uint8Array(6 * 1024 * 1024);
    },
    readDocument: createDocumentReader(),
    signal: t.signal,
  };
  const { messages: shown } = await withFiles(
    [
      message('1', file('upload:one')),
      message('2', file('upload:two'), file('upload:clip', 'video/mp4')),
      message('3', file('upload:gone'), file('data:image/png;base64,AAAA'), file('http://127.0.0.1/x.png')),
      message('4', file('upload:four')),
    ],
    options,
  );
  assert.deepEqual(
    urls(shown).map((url) => (url === '' ? 'named' : url.slice(0, 26))),
    [
      'named',
      'data:image/png;base64,AAAA',
      'named',
      'named',
      'data:image/png;base64,AAAA',
      'named',
      'data:image/png;base64,AAAA',
    ],
  );
  assert.deepEqual(asked.filter((path) => path === 'four').length, 1);
});

test('each provider is shown what it documents, in type and size', () => {
  const mib = 1024 * 1024;
  const taken = (mime: string, bytes = 1_000) =>
    (['offline', 'openai', 'anthropic', 'google', 'openai-compatible'] as const).filter((provider) =>
      takesFile(provider, { mime, bytes }),
    );
  assert.deepEqual(taken('image/png'), ['openai', 'anthropic', 'google', 'openai-compatible']);
  assert.deepEqual(taken('application/pdf'), ['openai', 'anthropic', 'google']);
  assert.deepEqual(taken('audio/ogg'), ['google']);
  assert.deepEqual(taken('image/png', 4 * mib), ['openai', 'google', 'openai-compatible']);
  assert.deepEqual(taken('image/png', 15 * mib), []);
  assert.deepEqual(taken('application/zip'), []);
});

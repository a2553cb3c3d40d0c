// Attachments in the Discord sandbox: payloads and routes against Discord's description, links that run out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createDiscordSandbox } from '#sandbox/discord/server.ts';
import { png } from '../../adapters/uploads/samples.ts';
import { discordDescription } from './openapi.ts';
import { caller } from './rest.ts';

test('an attachment is in its message, its link is signed and runs out, and is renewed by the API', async (t) => {
  const sandbox = await createDiscordSandbox({ clock: systemClock });
  t.after(() => sandbox.close());
  const { call, answers } = caller(sandbox);
  const bytes = png();
  const { id } = await sandbox.say({
    chat: 'room',
    user: 'you',
    text: '',
    files: [{ name: 'my picture.png', mime: 'image/png', bytes }],
  });
  const channel_id = sandbox.channelID('room', 'you');
  const got = await call('GET', '/channels/{channel_id}/messages/{message_id}', {
    params: { channel_id, message_id: id },
  });
  const { attachments } = got.body as { attachments: { url: string; size: number; filename: string }[] };
  const [attachment] = attachments;
  assert.deepEqual([attachment?.filename, attachment?.size], ['my picture.png', bytes.length]);
  const url = attachment?.url ?? '';
  const fetched = await fetch(url);
  assert.deepEqual(Buffer.from(await fetched.arrayBuffer()), bytes);
  assert.equal(fetched.headers.get('content-type'), 'image/png');
  assert.equal((await fetch(url.replace(/ex=\w+/, 'ex=ffffffff'))).status, 404, 'its time cannot be changed');
  sandbox.expireLinks();
  const expired = await fetch(url);
  assert.deepEqual([expired.status, await expired.text()], [404, 'This content is no longer available.']);
  const renewed = await call('POST', '/attachments/refresh-urls', { body: { attachment_urls: [url] } });
  const [pair] = (renewed.body as { refreshed_urls: { original: string; refreshed: string }[] })
    .refreshed_urls;
  assert.equal(pair?.original, url);
  assert.equal((await fetch(pair?.refreshed ?? '')).status, 200);
  const description = discordDescription();
  if (description === undefined) return t.diagnostic('not compared with the description: it is not there');
  const known = answers.filter(({ template }) => !template.startsWith('/attachments'));
  assert.deepEqual(
    known.flatMap((answer) => description.complaints(answer)),
    [],
  );
});

// The key of the sandbox page: without it nothing can be read, said or done there, and words say where the link is printed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openControl } from './control-client.ts';

const without = { authorization: '' };
const hello = { chat: 'dm', user: 'you', text: 'hello' };
const where = /link that Parley printed when it started/;
/** The line that `startText` prints above the link, as a start's own test has it. */
const printed = 'Open this link and talk to the bot; everyone who has it speaks as the owner:';

test('nobody without the key reads, says or does anything: no part of the interface answers', async (t) => {
  const control = await openControl(t);
  const id = await control.say('discord', { text: 'mine' });
  const reads = [
    '/sandbox/state',
    '/sandbox/events',
    '/sandbox/discord/calls',
    `/sandbox/discord/file/${id}/0`,
  ];
  const writes: [string, object][] = [
    ['say', hello],
    ['share', { ...hello, files: [{ name: 'a', mime: 'text/plain', base64: 'YQ==' }] }],
    ['press', { id, user: 'you', at: 0 }],
    ['edit', { id, text: 'other' }],
    ['delete', { id }],
    ['redeliver', { id }],
    ['fault', { kind: 'drop_socket' }],
  ];
  for (const authorization of [
    '',
    'Bearer wrong',
    `Bearer ${control.sandbox.key}x`,
    `Basic ${control.sandbox.key}`,
  ]) {
    const headers = { authorization };
    const replies = [
      ...(await Promise.all(reads.map((path) => control.ask(path, { headers })))),
      ...(await Promise.all(
        writes.map(([what, body]) =>
          control.ask(`/sandbox/discord/${what}`, { method: 'POST', body, headers }),
        ),
      )),
    ];
    for (const { status, body, text } of replies) {
      assert.deepEqual([status, body.code], [401, 'no_key'], text);
      assert.match(body.error ?? '', where);
      assert.ok(!text.includes(control.sandbox.key));
    }
  }
  assert.deepEqual(
    (await control.messages('discord', 'dm')).map(({ text }) => text),
    ['mine'],
  );
});

test('the link sets a cookie that scripts cannot read and leads to the page without the key; a reload finds it', async (t) => {
  const control = await openControl(t);
  const link = new URL(control.sandbox.link(`http://${control.host}`));
  const opened = await control.ask(`${link.pathname}${link.search}`, { headers: without });
  assert.deepEqual([opened.status, opened.headers.location], [303, '/']);
  const [cookie = ''] = opened.headers['set-cookie'] ?? [];
  assert.match(cookie, /HttpOnly/);
  assert.match(cookie, /SameSite=Lax/);
  const headers = { ...without, cookie: cookie.split(';')[0] ?? '' };
  for (let times = 0; times < 2; times += 1) {
    const page = await control.ask('/', { headers });
    assert.equal(page.status, 200);
    assert.match(page.text, /<template id="pane">/);
    assert.ok(!page.text.includes(control.sandbox.key));
  }
  assert.equal((await control.ask('/sandbox/state', { headers })).status, 200);
});

test('someone who opens the page without the key, or with another one, is told where the link is printed', async (t) => {
  const control = await openControl(t);
  for (const path of ['/', '/?key=', '/?key=wrong', `/?key=${control.sandbox.key}0`]) {
    const { status, text, headers } = await control.ask(path, { headers: without });
    assert.equal(status, 401, path);
    assert.match(text, where);
    assert.ok(text.includes(`look for the line “${printed}”`), text);
    assert.equal(headers['set-cookie'], undefined);
    assert.match(String(headers['content-security-policy']), /default-src 'self'/);
  }
});

test('the link to the console signs a browser in that has the key, and leads one that is signed in straight there', async (t) => {
  const control = await openControl(t);
  const { key } = control.sandbox;
  const to = async (headers: Record<string, string>) => {
    const { status, headers: answered } = await control.ask('/sandbox/console', { headers });
    return [status, answered.location];
  };
  const cookie = `parley_sandbox_${control.host.split(':')[1]}=${key}`;
  assert.deepEqual(await to({ ...without, cookie }), [303, '/console#key=once']);
  assert.deepEqual(await to({ authorization: `Bearer ${key}` }), [303, '/console']);
  assert.deepEqual(await to(without), [401, undefined]);
});

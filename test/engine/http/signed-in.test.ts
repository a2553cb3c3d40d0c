// Browsers in place of the token, over the real engine and store: a link that works once, a cookie, owners and viewers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bearer } from './kit.ts';
import { host, openSignedIn, page } from './sign-in-kit.ts';

const days = 24 * 3_600_000;

test('a link is exchanged once, by a page of this server, for a cookie that no script reads', async (t) => {
  const { send, signIns, clock } = await openSignedIn(t);
  const { body: link } = await send('POST', '/sign-in/link', bearer, { role: 'viewer', name: 'Ben' });
  for (const [foreign, code] of [
    [{}, 'FOREIGN_PAGE'],
    [{ 'sec-fetch-site': 'cross-site' }, 'FOREIGN_PAGE'],
    [{ origin: 'https://evil.example' }, 'ORIGIN_NOT_ALLOWED'],
  ] as const) {
    const refused = await send('POST', '/sign-in', foreign as Record<string, string>, { key: link.key });
    assert.deepEqual([refused.status, refused.body.code, refused.cookie], [403, code, '']);
  }
  const agent = { 'user-agent': 'b'.repeat(400) };
  const made = await send('POST', '/sign-in', { ...page, ...agent }, { key: link.key });
  assert.deepEqual([made.status, made.body], [200, { role: 'viewer', name: 'Ben' }]);
  assert.match(
    made.cookie,
    /^parley_console_7410=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  assert.equal(signIns.list()[0]?.agent, 'b'.repeat(300));
  const again = await send('POST', '/sign-in', page, { key: link.key });
  assert.deepEqual(
    [again.status, again.body.code, again.body.retryable, again.cookie],
    [401, 'LINK_USED', false, ''],
  );
  const { body: late } = await send('POST', '/sign-in/link', bearer, {});
  await clock.advance(5 * 60_000);
  assert.equal((await send('POST', '/sign-in', page, { key: late.key })).status, 401);
});

test('behind a proxy with TLS the cookie is for TLS alone, and a page that the browser calls our own needs no origin', async (t) => {
  const { send, signIns } = await openSignedIn(t);
  for (const [headers, isSecure] of [
    [{ ...page, 'x-forwarded-proto': 'https' }, true],
    [{ origin: `HTTPS://${host}` }, false],
    [{ 'sec-fetch-site': 'same-origin' }, false],
  ] as const) {
    const { key } = signIns.makeLink({ role: 'owner' });
    const { status, cookie } = await send('POST', '/sign-in', headers, { key });
    assert.deepEqual([status, /; Secure/.test(cookie)], [200, isSecure], JSON.stringify(headers));
  }
});

test('who is asking is the token, or the sign-in with its role and name', async (t) => {
  const { send, signIn } = await openSignedIn(t);
  const { body: byToken } = await send('GET', '/sign-in', bearer);
  assert.deepEqual(byToken, {
    ...{ by: 'token', role: 'owner', name: 'token', id: null, expiresAtMs: null },
    ...{ version: '1', sandbox: false },
  });
  for (const role of ['owner', 'viewer'] as const) {
    const { body } = await send('GET', '/sign-in', await signIn(role));
    assert.deepEqual([body.by, body.role, body.name], ['sign-in', role, 'Anna']);
    assert.match(body.id, /^sgn_/);
  }
  assert.equal((await send('GET', '/sign-in')).status, 401);
  const unknown = { cookie: `parley_console_7410=${'x'.repeat(43)}` };
  assert.equal((await send('GET', '/sign-in', unknown)).status, 401);
});

test('an owner reads with the cookie from anywhere, and writes from a page of this server only', async (t) => {
  const { send, signIn } = await openSignedIn(t);
  const owner = await signIn('owner');
  assert.equal((await send('GET', '/session', { ...owner, 'sec-fetch-site': 'cross-site' })).status, 200);
  const write = (headers: Record<string, string>) => send('POST', '/session', { ...owner, ...headers }, {});
  assert.deepEqual([(await write({})).body.code, (await write(page)).status], ['FOREIGN_PAGE', 200]);
  assert.equal(
    (await send('POST', '/session', { ...owner, ...bearer }, {})).status,
    200,
    'a program has the token',
  );
  const wrong = { ...owner, ...page, authorization: 'Bearer wrong' };
  assert.equal((await send('GET', '/session', wrong)).status, 401, 'a wrong token is no sign-in');
});

test('sign-ins are listed, ended by their id or by their browser, and end after thirty days', async (t) => {
  const { send, signIn, clock } = await openSignedIn(t);
  const [owner, other, viewer] = [
    await signIn('owner'),
    await signIn('owner', 'Cid'),
    await signIn('viewer', 'Ben'),
  ];
  const { body: all } = await send('GET', '/sign-ins', bearer);
  assert.deepEqual(
    all.map(({ name }: { name: string }) => name),
    ['Ben', 'Cid', 'Anna'],
  );
  assert.deepEqual((await send('DELETE', `/sign-ins/${all[1].id}`, { ...owner, ...page })).body, {
    ok: true,
  });
  const gone = await send('DELETE', `/sign-ins/${all[1].id}`, bearer);
  assert.deepEqual([gone.status, gone.body.code], [404, 'SIGN_IN_NOT_FOUND']);
  assert.equal((await send('GET', '/session', other)).status, 401);
  assert.equal((await send('DELETE', '/sign-in', viewer)).status, 403);
  const ended = await send('DELETE', '/sign-in', { ...viewer, ...page });
  assert.deepEqual([ended.status, ended.body], [200, { ok: true }]);
  assert.match(ended.cookie, /^parley_console_7410=; Max-Age=0; Path=\//);
  assert.equal((await send('GET', '/session', viewer)).status, 401);
  assert.deepEqual((await send('DELETE', '/sign-in', page)).body, { ok: true }, 'also for one that has none');
  await clock.advance(30 * days - 1);
  assert.equal((await send('GET', '/session', owner)).status, 200);
  await clock.advance(1);
  assert.equal((await send('GET', '/session', owner)).status, 401);
});

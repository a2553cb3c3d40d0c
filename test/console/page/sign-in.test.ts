// Who gets in: a link that works once, a cookie that scripts cannot read, and nothing for anyone else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHouse } from '../../app/house.ts';
import { found } from '../../support/found.ts';
import { clientOf, openPage, type Seen, signedIn, skip, tokenOf } from './browser.ts';

const secret = 'My safe has the number 4711.';

test('without a sign-in the page says where the link comes from, and holds nothing of the data (W1)', {
  skip,
}, async (t) => {
  const house = await openHouse(t);
  await house.ready('telegram');
  await house.ask({ platform: 'telegram', chat: 'dm', user: 'you' }, secret);
  const [session] = await clientOf(house).sessions.list();
  const { page, complaints, requests } = await openPage(
    t,
    `${house.parley.url}/console/conversations/${session?.id}`,
  );
  await page.getByText('This browser is not signed in').waitFor();
  await page.getByText('parley console', { exact: true }).waitFor();
  const html = await page.content();
  for (const word of ['4711', 'safe', session?.title ?? '', tokenOf(house)])
    assert.ok(!html.includes(word), `the page holds ${JSON.stringify(word)}`);
  assert.ok(requests.some(({ url }) => url.endsWith('/sign-in')));
  for (const path of [
    '/session',
    `/session/${session?.id}/message`,
    '/status',
    '/people',
    '/sign-ins',
    '/memory',
  ]) {
    const response = await fetch(house.parley.url + path);
    assert.equal(response.status, 401, path);
    assert.ok(!(await response.text()).includes('4711'));
  }
  assert.ok(complaints.splice(0).every((line) => line.includes('401')));
});

test('the link is exchanged for a cookie that no script reads, and neither it nor the token is anywhere in the browser (W2)', {
  skip,
}, async (t) => {
  const house = await openHouse(t);
  const link = await clientOf(house).signIns.link({ name: 'Anna' });
  const { page, context, requests } = await openPage(t, house.parley.url + link.path);
  await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
  assert.equal(new URL(page.url()).hash, '');
  const stored = (await page.evaluate(
    '[document.cookie, JSON.stringify(localStorage), JSON.stringify(sessionStorage), location.href, document.documentElement.outerHTML].join()',
  )) as string; // the expression makes one
  for (const word of [link.key, tokenOf(house)]) {
    assert.ok(!stored.includes(word));
    assert.ok(requests.every(({ url }) => !url.includes(word)));
  }
  await page.goBack({ waitUntil: 'commit' }).catch(() => null);
  assert.ok(!page.url().includes(link.key));
  const [cookie] = await context.cookies(house.parley.url);
  assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, 'Strict']);
  assert.ok(cookie !== undefined && ![link.key, tokenOf(house)].includes(cookie.value));

  const second = await openPage(t, house.parley.url + link.path);
  await second.page.getByText('This link was used before, or is older than five minutes').waitFor();
  assert.equal((await second.context.cookies()).length, 0);
  await second.context.close(); // what the browser says of it comes a moment later than what the page shows
  assert.ok(second.complaints.splice(0).every((line) => line.includes('401')));
});

test('a request that writes with the cookie must come from a page of this server (W2)', {
  skip,
}, async (t) => {
  const house = await openHouse(t);
  const { context } = await signedIn(t, house);
  const [cookie] = await context.cookies(house.parley.url);
  const send = (headers: Record<string, string>): Promise<Response> =>
    fetch(`${house.parley.url}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: `${cookie?.name}=${cookie?.value}`, ...headers },
      body: '{}',
    });
  assert.equal((await send({ origin: 'https://other.example' })).status, 403);
  assert.equal((await send({ 'sec-fetch-site': 'same-site' })).status, 403);
  assert.equal((await send({})).status, 403);
  assert.equal((await clientOf(house).sessions.list()).length, 0);
  assert.equal((await send({ origin: house.parley.url })).status, 200);
});

test('a viewer sees open rooms only, and nothing that a viewer sends changes anything', {
  skip,
}, async (t) => {
  const house = await openHouse(t);
  await house.ready('slack', 'telegram');
  await house.ask({ platform: 'telegram', chat: 'dm', user: 'you' }, secret);
  await house.ask({ platform: 'slack', chat: 'private', user: 'you' }, 'The party is a surprise.');
  await house.ask({ platform: 'slack', chat: 'room', user: 'you' }, 'The boat is called Tern.');
  const { page, context } = await signedIn(t, house, { role: 'viewer', name: 'Ben' });
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'People' }).count(), 0);
  const [cookie] = await context.cookies(house.parley.url);
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(house.parley.url + path, {
      ...init,
      headers: {
        cookie: `${cookie?.name}=${cookie?.value}`,
        origin: house.parley.url,
        'content-type': 'application/json',
      },
    });
  const sessions = (await (await ask('/session')).json()) as { id: string; title: string }[];
  assert.deepEqual(
    sessions.map(({ title }) => /Tern/.test(title)),
    [true],
  );
  const all = await clientOf(house).sessions.list();
  assert.equal(all.length, 3);
  for (const { id } of all) {
    const open = id === sessions[0]?.id;
    for (const path of [`/session/${id}`, `/session/${id}/message`, `/session/${id}/message?limit=10`])
      assert.equal((await ask(path)).status, open ? 200 : 404, path);
    for (const init of [{ method: 'DELETE' }, { method: 'PATCH', body: '{"title":"mine"}' }])
      assert.equal((await ask(`/session/${id}`, init)).status, 403);
    assert.equal((await ask(`/session/${id}/prompt_async`, { method: 'POST', body: '{}' })).status, 403);
  }
  const runs = (await (await ask('/runs')).json()) as { sessionID: string }[];
  assert.deepEqual(
    runs.map(({ sessionID }) => sessionID),
    [sessions[0]?.id],
  );
  for (const path of ['/people', '/memory', '/sign-ins', '/memory/audiences', '/usage?by=session'])
    assert.ok([401, 403].includes((await ask(path)).status), path);
  assert.equal((await ask('/sign-in/link', { method: 'POST', body: '{"role":"owner"}' })).status, 403);
});

test('a room that is closed while a viewer looks at it goes from the page: its messages, its runs and its place in lists', {
  skip,
}, async (t) => {
  const house = await openHouse(t);
  await house.ready('discord');
  const { places } = house.sandbox.discord;
  const space = places.addSpace('crew');
  const account = places.addAccount('ann');
  places.joinSpace(account, space);
  const room = places.addRoom({
    space,
    kind: 'public',
    name: 'lobby',
    parent: undefined,
    members: [account],
  });
  await places.say({ account, room, text: 'The zeppelin lands on Monday.', mention: true });
  const client = clientOf(house);
  const run = await found('its run', async () =>
    (await client.runs.list()).find(({ status }) => status === 'completed'),
  );
  const seen: Seen[] = [];
  for (const path of ['conversations', `conversations/${run.sessionID}`, 'runs', `runs/${run.runID}`]) {
    const one = await signedIn(t, house, { role: 'viewer', name: 'Ben' });
    await one.visit(path, /./);
    await one.page
      .getByText(/zeppelin|lobby|Noted: I will/)
      .first()
      .waitFor();
    seen.push(one);
  }
  places.setOpen(room, false);
  for (const { page, complaints } of seen) {
    await page
      .getByText(/There are no|does not exist|There is no such|No run/)
      .first()
      .waitFor();
    assert.doesNotMatch(await page.content(), /zeppelin|lobby|Noted: I will/i);
    assert.deepEqual(
      complaints.splice(0).filter((line) => !/status of 40[34]/.test(line)),
      [],
    );
  }
});

test('a private conversation of another person that an owner opens leaves a line in the audit; a room leaves none', {
  skip,
}, async (t) => {
  const house = await openHouse(t);
  await house.ready('slack', 'telegram');
  await house.ask({ platform: 'telegram', chat: 'dm', user: 'guest' }, secret);
  await house.ask({ platform: 'slack', chat: 'room', user: 'you' }, 'The boat is called Tern.');
  const client = clientOf(house);
  const sessions = await client.sessions.list();
  const { context } = await signedIn(t, house, { name: 'Anna' });
  const [cookie] = await context.cookies(house.parley.url);
  for (const { id } of sessions)
    await fetch(`${house.parley.url}/session/${id}/message?limit=10`, {
      headers: { cookie: `${cookie?.name}=${cookie?.value}` },
    });
  const dm = sessions.find(({ place }) => place?.kind === 'dm');
  assert.ok(dm?.place !== undefined);
  const audienceOf = dm.place.audience as `person:${string}`;
  const { events } = await client.memory.audit({ audience: audienceOf });
  const opened = events.filter(({ detail }) => detail.how === 'opened the conversation');
  assert.deepEqual(
    opened.map(({ actor, session_id, memory_ids }) => ({ actor, session_id, memory_ids })),
    [{ actor: 'Anna', session_id: dm.id, memory_ids: [dm.id] }],
  );
  const { events: all } = await client.memory.audit({});
  assert.equal(JSON.stringify(all).includes('4711'), false);
});

test('a sign-in that was ended or has expired leads back to the sign-in page', { skip }, async (t) => {
  const house = await openHouse(t);
  const { page, complaints } = await signedIn(t, house);
  const client = clientOf(house);
  const [signIn] = await client.signIns.list();
  await client.signIns.end(signIn?.id ?? '');
  // the page may have noticed it first, and have no links any more
  const runs = page.getByRole('link', { name: 'Runs' });
  await runs.click({ timeout: 2_000 }).catch(() => undefined);
  await page.reload();
  await page.getByText('This browser is not signed in').waitFor();
  assert.ok(complaints.splice(0).every((line) => line.includes('401')));
});

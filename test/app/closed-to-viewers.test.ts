// What is shown outside of the chats of a room that is closed on its platform afterwards: nothing, of no conversation that it ever had.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { found, until } from '../support/found.ts';
import { openRoom, platforms } from './closing-room.ts';
import type { House } from './house.ts';
import { call, overHttp, refusal, tokenFor } from './mcp-kit.ts';

/** A viewer who is signed in; `read` gives what an address has for them. */
async function viewerOf(house: House) {
  const { url, tokenFile } = house.parley;
  const token = readFileSync(tokenFile ?? '', 'utf8').trim();
  const send = async (path: string, body: object, headers: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url, ...headers },
      body: JSON.stringify(body),
    });
  const link = (await (
    await send('/sign-in/link', { role: 'viewer', name: 'Ben' }, { authorization: `Bearer ${token}` })
  ).json()) as { key: string };
  const signedIn = await send('/sign-in', { key: link.key }, {});
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const read = (path: string) => fetch(`${url}${path}`, { headers: { cookie } });
  const sessions = async () => (await (await read('/session')).json()) as { id: string }[];
  return { read, sessions };
}

for (const platform of platforms) {
  test(`a room on ${platform} that is closed takes the conversations of all its messages from viewers, and ends the streams of them`, async (t) => {
    const { house, close } = await openRoom(t, platform);
    const { read, sessions } = await viewerOf(house);
    const all = await found('its conversations', async () => {
      const seen = await sessions();
      return seen.length >= 2 ? seen : undefined;
    });
    const texts = await Promise.all(all.map(async ({ id }) => (await read(`/session/${id}/message`)).text()));
    const ids = all.flatMap(({ id }, at) => (/heron|zeppelin/.test(texts[at] ?? '') ? [id] : []));
    assert.ok(ids.length >= 1);
    const streams = await Promise.all(ids.map((sessionID) => read(`/event?sessionID=${sessionID}`)));
    await close();
    // nothing happens in these conversations any more
    for (const stream of streams) assert.doesNotMatch(await stream.text(), /raining/);
    for (const id of ids) assert.equal((await read(`/session/${id}/message`)).status, 404);
    await until('they are gone from the list', async () =>
      (await sessions()).every(({ id }) => !ids.includes(id)),
    );
  });

  test(`a room on ${platform} that is closed takes what was said there from programs with the token of someone who is not in it`, async (t) => {
    const { house, close } = await openRoom(t, platform);
    const { secret } = await tokenFor(house, '--person', 'Robin');
    const client = await overHttp(house.parley.url, secret);
    t.after(() => client.close());
    const search = async () =>
      (await call(client, 'memory_search', { query: 'heron near the lock' })).items as {
        id: string;
        text: string;
      }[];
    const [hit] = await found('the memory', async () => {
      const hits = (await search()).filter(({ text }) => text.includes('heron'));
      return hits.length > 0 ? hits : undefined;
    });
    await close();
    await until('it is gone', async () => !JSON.stringify(await search()).includes('heron'));
    await refusal(client, 'memory_read', { id: hit?.id });
    await assert.rejects(client.readResource({ uri: `parley://memory/${hit?.id}` }));
  });
}

// What others chose, with scripts in it, on every page of the console in a real browser: names, messages, memory, files, tools, schedules.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf, openPage, pages, scriptedHouse, signedIn, skip, tokenOf } from './browser.ts';

/** Each way in which a text becomes a script where it is taken for markup, an attribute, an address or a template. */
const hostile = (mark: string): string =>
  [
    `<script>window.hacked="${mark}"</script>`,
    `<img src=x onerror="window.hacked='${mark}'">`,
    `"><svg onload=window.hacked='${mark}'>`,
    `'-(window.hacked='${mark}')-'`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template that must stay text
    '${window.hacked=1}{{window.hacked=1}}',
    `[press](javascript:window.hacked='${mark}') <javascript:window.hacked=1> [data](data:text/html,<script>window.hacked=1</script>)`,
    '<iframe srcdoc="<script>parent.hacked=1</script>"></iframe><a href="javascript:window.hacked=1">x</a>',
    '```html\n<script>window.hacked="code"</script>\n```',
    '<style>body{display:none}</style><base href="https://tracker.invalid/"><meta http-equiv=refresh content="0;url=https://tracker.invalid">',
  ].join('\n');

test('nothing that people, models, tools or files say runs as a script on any page, and no page complains', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, hostile('answer'), {
    tool: {
      name: 'artifact',
      arguments: { name: `<img src=x onerror=window.hacked=1>.html`, content: hostile('file') },
    },
  });
  const client = clientOf(house);
  const { places } = house.sandbox.discord;
  const named = places.addAccount(`<img src=x onerror="window.hacked='name'">`);
  const space = places.addSpace(`<script>window.hacked='space'</script>`);
  places.joinSpace(named, space);
  const room = places.addRoom({
    ...{ space, kind: 'public', parent: undefined, members: [named] },
    name: `<svg onload=window.hacked='room'>`,
  });
  await places.say({ account: named, room, text: hostile('room message'), mention: true });
  for (const platform of ['telegram', 'slack'] as const)
    await house.ask({ platform, chat: 'dm', user: 'you' }, hostile(platform), [
      {
        name: '"><img src=x onerror=window.hacked=1>.txt',
        mime: 'text/plain',
        bytes: Buffer.from(hostile('upload')),
      },
    ]);
  const { audiences } = await client.memory.audiences();
  const audience = audiences.find((one) => one.audience.startsWith('person:'))?.audience;
  assert.ok(audience !== undefined);
  await client.memory.put(hostile('memory'), {
    audience,
    tags: ['<b onclick=window.hacked=1>'],
    pinned: true,
  });
  await client.schedules.create({
    ...{ when: 'tomorrow at 9', text: hostile('schedule'), zone: 'Europe/Berlin' },
    ...{ person: audience.slice('person:'.length), chat: 'telegram:dm:1' },
  });
  const own = await client.sessions.create({ title: hostile('title').replaceAll('\n', ' ').slice(0, 250) });
  await client.sessions.promptSync(own.id, hostile('prompt'));
  const runs = await client.runs.list();
  const sessions = await client.sessions.list();
  assert.ok(runs.length >= 3);

  const { page, requests } = await signedIn(t, house, { name: '<img src=x onerror=window.hacked=1>' });
  const visit = async (path: string): Promise<void> => {
    await page.goto(`${house.parley.url}/console/${path}`);
    await page.locator('main h1').first().waitFor();
    await page.locator('main .loading').first().waitFor({ state: 'detached' });
    // what is folded is shown too
    await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
    await page.locator('body').waitFor({ state: 'visible' });
    assert.equal(await page.evaluate('window.hacked'), undefined, path);
    assert.equal(
      await page
        .locator('main :is(script, iframe, base, meta, style, [onerror], [onload], [onclick])')
        .count(),
      0,
      path,
    );
    assert.equal(await page.evaluate(scriptLinks), 0, path);
  };
  for (const [path] of pages.filter(([each]) => !/SES|RUN/.test(each))) await visit(path);
  for (const { id } of sessions) await visit(`conversations/${id}`);
  for (const { runID } of runs) await visit(`runs/${runID}`);
  for (const path of ['memory', 'memory/entries', 'memory/files', 'memory/audit'])
    await visit(`${path}?as=${encodeURIComponent(audience)}`);
  await page.goto(
    `${house.parley.url}/console/${encodeURIComponent("<img src=x onerror=window.hacked='path'>")}`,
  );
  await page.getByRole('navigation').first().waitFor();
  assert.equal(await page.evaluate('window.hacked'), undefined);
  assert.ok(requests.every(({ url }) => new URL(url).origin === new URL(house.parley.url).origin));
});

/** In the page: how many addresses lead to a script. */
const scriptLinks = `[...document.querySelectorAll(':is([href], [src], [action])')].filter((element) =>
  ['href', 'src', 'action'].some((name) => /^\\s*(javascript|data|vbscript):/i.test(element.getAttribute(name) ?? ''))).length`;

test('no answer of the server allows scripts or styles that are written into a page', { skip }, async (t) => {
  const house = await scriptedHouse(t, 'Hello.');
  const authorization = `Bearer ${tokenOf(house)}`;
  for (const path of ['/console', '/console/nowhere', '/docs', '/', '/openapi.json']) {
    const response = await fetch(house.parley.url + path, { headers: { authorization } });
    const isPage = response.headers.get('content-type')?.includes('html') === true;
    const policy = response.headers.get('content-security-policy');
    assert.doesNotMatch(policy ?? '', /unsafe-/, path);
    if (isPage) assert.notEqual(policy, null, path);
  }
  const { page, complaints } = await openPage(
    t,
    `http://x:${tokenOf(house)}@${new URL(house.parley.url).host}/docs`,
  );
  await page.getByRole('heading', { level: 1 }).waitFor();
  assert.notEqual(
    await page.evaluate('getComputedStyle(document.body).maxWidth'),
    'none',
    'its own style counts',
  );
  assert.deepEqual(complaints, []);
});

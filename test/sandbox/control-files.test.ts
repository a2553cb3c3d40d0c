// Files over the control interface: sent by a person, listed without their bytes, fetched one by one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { png } from '../adapters/uploads/samples.ts';
import { openControl, platforms } from './control-client.ts';

for (const platform of platforms) {
  test(`${platform}: a file that a person sends is shown by name and size, and its bytes are at its own address`, async (t) => {
    const control = await openControl(t);
    const files = [
      { name: 'a.png', mime: 'image/png', base64: png().toString('base64') },
      {
        name: 'page.html',
        mime: 'text/html',
        base64: Buffer.from('<script>alert(1)</script>').toString('base64'),
      },
    ];
    for (const [index, file] of files.entries()) {
      // a picture may come without words
      const text = index === 0 ? '' : 'look';
      const said = await control.post(`/sandbox/${platform}/share`, {
        chat: 'dm',
        user: 'you',
        text,
        files: [file],
      });
      assert.equal(said.status, 201, said.text);
    }
    const [picture, page] = await control.messages(platform, 'dm');
    assert.deepEqual([picture?.files?.length, page?.files?.length], [1, 1]);
    assert.equal(picture?.files?.[0]?.size, png().length);
    const shown = await control.open(`/sandbox/${platform}/file/${picture?.id}/0`);
    const chunks: Buffer[] = [];
    for await (const chunk of shown) chunks.push(chunk);
    assert.deepEqual(Buffer.concat(chunks), png());
    assert.equal(shown.headers['content-type'], 'image/png');
    const saved = await control.ask(`/sandbox/${platform}/file/${page?.id}/0`);
    assert.equal(saved.headers['content-type'], 'application/octet-stream', 'a page is never opened as one');
    assert.match(saved.headers['content-disposition'] ?? '', /^attachment; filename\*=UTF-8''page\.html/);
    assert.equal(saved.headers['x-content-type-options'], 'nosniff');
    assert.equal((await control.ask(`/sandbox/${platform}/file/${page?.id}/7`)).status, 404);
    assert.equal((await control.ask(`/sandbox/${platform}/file/none/0`)).status, 404);
  });
}

test('a share without files, or with something that is not base64, is refused with a message', async (t) => {
  const control = await openControl(t);
  const say = { chat: 'dm', user: 'you', text: 'x' };
  for (const files of [
    [],
    [{ name: 'a', mime: 'b/c', base64: '%%%' }],
    [{ name: '', mime: 'b/c', base64: '' }],
    undefined,
  ])
    assert.equal((await control.post('/sandbox/slack/share', { ...say, files })).status, 400);
});

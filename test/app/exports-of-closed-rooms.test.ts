// What was said in an open room once that is closed on its platform: what people are told elsewhere, and what exports hold.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRoom, platforms } from './closing-room.ts';

for (const platform of platforms) {
  test(`what was said in an open room on ${platform} is recalled in another room and in private until it is closed, and not afterwards`, async (t) => {
    const { askElsewhere, close, inPrivate } = await openRoom(t, platform);
    assert.match(await askElsewhere('When does the zeppelin land?'), /Monday/);
    assert.match(await inPrivate.robin('Where is the heron?'), /near the lock/);
    await close();
    assert.doesNotMatch(await askElsewhere('Where is the heron now?'), /lock/);
    assert.doesNotMatch(await inPrivate.robin('And the zeppelin, when does it land again?'), /Monday/);
  });

  test(`exports after a room on ${platform} was closed: everyone has their own words and private answers, and nobody those of others`, async (t) => {
    const { askElsewhere, close, leave, inPrivate } = await openRoom(t, platform);
    assert.match(await askElsewhere('When does the zeppelin land?'), /Monday/);
    await close();
    leave();
    const ofRobin = await inPrivate.robin('/export me');
    assert.match(ofRobin, /When does the zeppelin land/);
    assert.doesNotMatch(ofRobin, /heron|Monday/);
    const ofAnn = await inPrivate.ann('/export me');
    assert.match(ofAnn, /heron is near the lock/, 'also from a room that she may not read any more');
    assert.match(ofAnn, /zeppelin lands on Monday/);
    assert.doesNotMatch(ofAnn, /When does the zeppelin land|Good morning/);
    const elsewhere = await askElsewhere('/export');
    assert.doesNotMatch(elsewhere, /heron/);
    if (platform === 'discord') {
      assert.match(elsewhere, /When does the zeppelin land/);
      assert.match(elsewhere, /Monday/, 'an answer stays in its chat');
    }
    const list = await inPrivate.robin('/sessions');
    assert.doesNotMatch(list, /heron|zeppelin lands/);
  });
}

// What people changed and deleted while no process was there, through the real discord.js and the sandbox's server.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../support/found.ts';
import { connect, memorySink, openSandbox } from './harness.ts';

describe('changes that a Discord channel had in the meantime', { concurrency: 3 }, () => {
  for (const chat of ['dm', 'room'] as const)
    test(`a deletion and an edit in a ${chat} are noticed by the next process, and nothing else`, async () => {
      await using opened = await openSandbox();
      const { sandbox } = opened;
      const sink = memorySink();
      const say = (text: string) => sandbox.say({ chat, user: 'you', text, mention: true });
      const first = await connect({ sandbox, sink });
      const [gone, changed, stays] = [await say('gone'), await say('changed'), await say('stays')];
      await until('all came', () => sink.texts().length === 3);
      await first.stop();
      await sandbox.deleteMessage(gone.id);
      await sandbox.editMessage(changed.id, 'other');
      await using _ = await connect({ sandbox, sink });
      const deletions = () =>
        sink.events.flatMap((event) => (event.type === 'delete' ? [event.nativeID] : []));
      await until('both are noticed', () => deletions().length > 0 && sink.edits().length > 0);
      await say('after');
      await until('the next message came', () => sink.texts().includes('after'));
      assert.deepEqual(deletions(), [gone.id]);
      assert.deepEqual(
        sink.edits().map(({ nativeID, text }) => [nativeID, text]),
        [[changed.id, 'other']],
      );
      assert.ok(sink.messages().some(({ nativeID }) => nativeID === stays.id));
    });

  test('where the bot may read nothing any more, nothing counts as deleted', async () => {
    await using opened = await openSandbox();
    const { sandbox } = opened;
    const sink = memorySink();
    const first = await connect({ sandbox, sink });
    const { id } = await sandbox.say({ chat: 'dm', user: 'you', text: 'the only one' });
    await until('it came', () => sink.texts().length === 1);
    await first.stop();
    await sandbox.deleteMessage(id);
    await using _ = await connect({ sandbox, sink });
    const reads = () => sandbox.calls().filter(({ name }) => /^GET .*messages/.test(name)).length;
    await until('the page was read', () => reads() > 0);
    await sandbox.say({ chat: 'room', user: 'you', text: 'after', mention: true });
    await until('the next message came', () => sink.texts().includes('after'));
    assert.deepEqual(
      sink.events.filter(({ type }) => type === 'delete'),
      [],
    );
  });
});

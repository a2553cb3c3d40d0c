// Previews of links, which come after the message, over the real client libraries: seen where the run has not begun, and never an edit.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { DiscordSandbox } from '#sandbox/discord/server.ts';
import type { SlackSandbox } from '#sandbox/slack/server.ts';
import { type Platform, platforms, stageOn } from './platforms.ts';

/** Telegram gives bots no previews. */
const showing = platforms.filter(({ name }) => name !== 'telegram');
const titles: Partial<Record<Platform['name'], RegExp>> = {
  discord: /Example \(https:\/\/example\.com\/\)/,
  slack: /A page \(https:\/\/sandbox\.invalid\/\)/,
};
const link = 'what do you say to https://example.com/ ?';

const onStage = async (t: TestContext, platform: Platform) => {
  const on = await stageOn(t, platform, 'dm');
  const sandbox = on.sandbox as DiscordSandbox | SlackSandbox; // of `showing`
  const prompt = (): string => (on.engine.prompts().at(-1) ?? []).join('\n');
  const shown = async (): Promise<string> => (await sandbox.say({ chat: 'dm', user: 'you', text: link })).id;
  return { ...on, sandbox, prompt, shown };
};

for (const platform of showing) {
  const title = titles[platform.name] ?? /^$/;

  test(`${platform.name}: a preview that comes while the message waits is in the run that answers it`, async (t) => {
    const { sandbox, engine, ask, until, pass, prompt, shown } = await onStage(t, platform);
    const first = await ask('first');
    const id = await shown();
    await pass(2_000);
    sandbox.unfurl(id);
    await pass(2_000);
    engine.complete(first, 'Yes.');
    await until('the second run', () => engine.runs.length === 2);
    assert.match(prompt(), title);
    assert.equal(prompt().split('what do you say').length, 2, prompt());
  });

  test(`${platform.name}: a preview that comes during the run or after it starts no run, and changes no answer`, async (t) => {
    const { sandbox, engine, ask, until, pass, prompt, texts } = await onStage(t, platform);
    const run = await ask(link);
    const id = sandbox.shown('dm', 'you').find(({ author }) => author === 'you')?.id ?? '';
    sandbox.unfurl(id);
    await pass(3_000);
    engine.complete(run, 'A fine page.');
    await until('the answer', () => engine.deliveries.length === 1);
    sandbox.unfurl(id);
    await pass(5_000);
    assert.equal(engine.runs.length, 1);
    assert.deepEqual(texts(), ['A fine page.']);
    const next = await ask('thanks');
    assert.notEqual(next, run);
    assert.doesNotMatch(prompt(), /changed|edited|correct/i);
  });

  test(`${platform.name}: who edits the message afterwards has edited it, and the preview stays`, async (t) => {
    const { sandbox, engine, ask, until, pass, prompt, shown } = await onStage(t, platform);
    const first = await ask('first');
    const id = await shown();
    await pass(1_000);
    sandbox.unfurl(id);
    await pass(1_000);
    await sandbox.editMessage(id, 'and to https://example.com/ ?');
    await pass(1_000);
    sandbox.unfurl(id);
    await pass(1_000);
    engine.complete(first, 'Yes.');
    await until('the second run', () => engine.runs.length === 2);
    assert.match(prompt(), /and to https/);
    assert.match(prompt(), title);
    assert.doesNotMatch(prompt(), /what do you say/);
  });
}

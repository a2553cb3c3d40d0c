// Voice on the page: recorded with a microphone or chosen as a file, sent as a voice message, and played when it comes.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { ogg } from '../../adapters/uploads/samples.ts';
import { openModelHouse } from '../../app/model-house.ts';
import { open, platforms, skip } from './browser.ts';

const hosted = { provider: 'openai-compatible', model: 'any' };

/** Resolves once the browser has read of the sound how long it is; false where it cannot be played. */
const isPlayable = (page: Page, platform: string): Promise<boolean> =>
  page.evaluate(`new Promise((resolve) => {
    const audio = document.querySelector('.${platform} .message.you audio');
    const look = () => audio.readyState > 0 && resolve(true);
    audio.onloadedmetadata = look;
    audio.onerror = () => resolve(false);
    if (audio.error !== null) resolve(false);
    look();
  })`);

test('what a person records is sent as a voice message, answered as its words, and can be played on each platform', {
  skip,
}, async (t) => {
  const { house, model } = await openModelHouse(t, platforms, { channels: { voice: hosted } });
  model.onTranscription({ transcription: { text: 'The heron lands at nine' } });
  const { page, pane, input, messages } = await open(t, house);
  for (const platform of platforms) {
    const record = pane(platform).getByRole('button', { name: 'Record a voice message' });
    await record.press('Enter');
    await pane(platform).locator('.record[aria-pressed="true"]').waitFor();
    await page.waitForTimeout(600); // the microphone of the browser is a real clock's
    await record.press('Enter');
    const files = pane(platform).getByRole('list', { name: 'Files to send' });
    await files.getByText('voice-message.webm').waitFor();
    const voice = files.getByRole('button', { name: 'Voice message', exact: true });
    assert.equal(await voice.getAttribute('aria-pressed'), 'true', platform);
    await input(platform).press('Enter');
    const player = messages(platform, 'you').locator('audio');
    await player.waitFor();
    assert.ok(await isPlayable(page, platform), `${platform}: what was recorded can be played`);
    await messages(platform, 'bot').getByText('Seen.').waitFor();
    const [said] = house.sandbox[platform].shown('dm', 'you');
    assert.equal(said?.files?.[0]?.voice, true, platform);
    const prompts = model.getRequests().filter(({ path }) => path.includes('/chat/completions'));
    assert.match(JSON.stringify(prompts.at(-1)?.body), /The heron lands at nine/, platform);
  }
  if (process.env.PARLEY_SCREENSHOTS !== undefined)
    await page.screenshot({ path: join(process.env.PARLEY_SCREENSHOTS, 'voice.png') });
});

test('an audio file is sent as a file or as a voice message, and what the assistant speaks is played', {
  skip,
}, async (t) => {
  const { house, model } = await openModelHouse(t, platforms, {
    channels: { voice: hosted },
    tools: { speech: { ...hosted, voice: 'alloy' } },
  });
  model.onTranscription({ transcription: { text: 'Say good night' } });
  model.onSpeech(/.*/, { audio: Buffer.from(ogg).toString('base64'), format: 'opus' });
  model.prependFixture({
    match: { userMessage: /Say good night/, sequenceIndex: 0 },
    response: { toolCalls: [{ name: 'speak', arguments: JSON.stringify({ text: 'Good night' }) }] },
  });
  const { pane, input, messages } = await open(t, house);
  const song = { name: 'song.ogg', mimeType: 'audio/ogg', buffer: Buffer.from(ogg) };
  const files = pane('telegram').getByRole('list', { name: 'Files to send' });
  await pane('telegram').locator('.picker').setInputFiles([song]);
  const voice = files.getByRole('button', { name: 'Voice message', exact: true });
  assert.equal(await voice.getAttribute('aria-pressed'), 'false');
  await voice.press('Enter');
  assert.equal(await voice.getAttribute('aria-pressed'), 'true');
  await input('telegram').press('Enter');
  await messages('telegram', 'bot').locator('audio').first().waitFor();
  const [said] = house.sandbox.telegram.shown('dm', 'you');
  assert.equal(said?.files?.[0]?.voice, true);
});

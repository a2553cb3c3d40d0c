// The sandbox page of the real program in a real Chromium, and the few things that every test of it does. No test.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import type { Locator, Page } from 'playwright-core';
import type { SandboxPlatform } from '#sandbox/contract.ts';
import { type House, openHouse } from '../../app/house.ts';
import { noChromium, openProfile } from '../../support/chromium.ts';

export const platforms = ['discord', 'telegram', 'slack'] as const;
export const names = { discord: 'Discord', telegram: 'Telegram', slack: 'Slack' } as const;
export const wide = { width: 1280, height: 720 };
export const narrow = { width: 390, height: 844 };

/** How long a test waits for what must come; only a failure takes so long, however busy the machine is. */
const timeoutMs = 90_000;

/** For a test's options: why it cannot run here, or false. */
export const skip = noChromium;

export interface Seen {
  page: Page;
  /** What the console and the page complained about; `open` fails the test for any of it that is left at its end. */
  complaints: string[];
  pane(platform: SandboxPlatform): Locator;
  input(platform: SandboxPlatform): Locator;
  /** Messages on the screen of a pane, of the bot or of anyone. */
  messages(platform: SandboxPlatform, author?: 'bot' | 'you' | 'guest'): Locator;
  tab(platform: SandboxPlatform, name: 'Direct message' | 'Room' | 'Private room'): Locator;
  /** Brings a platform to a narrow screen, which shows one at a time. */
  choose(platform: SandboxPlatform): Promise<void>;
  /** Types a text and sends it with Enter. */
  say(platform: SandboxPlatform, text: string): Promise<void>;
}

/** Opens the page of the house. */
export function open(t: TestContext, house: House, viewport = wide): Promise<Seen> {
  return openLink(t, house.sandbox.link(house.parley.url), viewport);
}

/** Opens the page at the link as a visitor. */
export async function openLink(t: TestContext, link: string, viewport = wide): Promise<Seen> {
  const context = await openProfile(t, { viewport });
  context.setDefaultTimeout(timeoutMs);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  t.after(() => assert.deepEqual(complaints, []));
  await page.goto(link);
  await page.locator('.pane.slack').waitFor({ state: 'attached' });
  const pane = (platform: SandboxPlatform): Locator => page.getByRole('region', { name: names[platform] });
  const input = (platform: SandboxPlatform): Locator => pane(platform).getByRole('textbox');
  return {
    page,
    complaints,
    pane,
    input,
    messages: (platform, author) =>
      pane(platform).locator(author === undefined ? '.message' : `.message.${author}`),
    tab: (platform, name) => pane(platform).getByRole('tab', { name, exact: true }),
    choose: (platform) => page.locator('.switch').getByRole('button', { name: names[platform] }).click(),
    async say(platform, text) {
      await input(platform).fill(text);
      await input(platform).press('Enter');
    },
  };
}

/** A file that the scripted model writes. */
export interface Artifact {
  name: string;
  media_type: string;
  content: string;
}

/** What a scripted model does besides answering: a file that it writes first, and its pause after every 40 characters. */
export interface Script {
  artifact?: Artifact;
  betweenPiecesMs?: number;
}

/** A house whose three channels are connected; with `answer`, a scripted model says it to everything. */
export async function readyHouse(t: TestContext, answer?: string, script: Script = {}): Promise<House> {
  const house = answer === undefined ? await openHouse(t) : await scriptedHouse(t, answer, script);
  await house.ready(...platforms);
  return house;
}

async function scriptedHouse(
  t: TestContext,
  content: string,
  { artifact, betweenPiecesMs = 0 }: Script,
): Promise<House> {
  const latency = betweenPiecesMs;
  const model = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent', chunkSize: 40, latency });
  await model.start();
  t.after(() => model.stop());
  if (artifact !== undefined)
    model.addFixture({
      match: { userMessage: /.*/, hasToolResult: false },
      response: { toolCalls: [{ name: 'artifact', arguments: JSON.stringify(artifact) }] },
    });
  model.onMessage(/.*/, { content });
  return openHouse(t, {
    config: { model: { name: 'any' } },
    variables: { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: `${model.url}/v1` },
  });
}

// The console of the real program in a real Chromium, signed in, and what every test of it does. No test.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { createClient, type ParleyClient } from '#engine/client/client.ts';
import { type House, openHouse } from '../../app/house.ts';
import { noChromium, openProfile } from '../../support/chromium.ts';
import { AxeBuilder } from './axe.ts';

export const wide = { width: 1280, height: 800 };
export const narrow = { width: 390, height: 844 };
/** Every page of the console with its heading; SES and RUN are in the place of ids. */
export const pages = [
  ['now', 'Now'],
  ['conversations', 'Conversations'],
  ['conversations/SES', 'Conversations'],
  ['runs', 'Runs'],
  ['runs/RUN', 'Run'],
  ['runs/cost', 'Runs'],
  ['memory', 'Memory'],
  ['memory/entries', 'Memory'],
  ['memory/files', 'Memory'],
  ['memory/import', 'Memory'],
  ['memory/journal', 'Memory'],
  ['memory/dreams', 'Memory'],
  ['memory/budgets', 'Memory'],
  ['memory/audit', 'Memory'],
  ['memory/forget', 'Memory'],
  ['work', 'Work'],
  ['work/decisions', 'Work'],
  ['work/lessons', 'Work'],
  ['work/recap', 'Work'],
  ['people', 'People'],
  ['agents', 'Agents'],
  ['agents/missions', 'Agents'],
  ['agents/schedules', 'Agents'],
  ['agents/webhooks', 'Agents'],
  ['settings', 'Settings'],
  ['settings/sign-ins', 'Settings'],
  ['settings/tokens', 'Settings'],
  ['settings/log', 'Settings'],
  ['settings/backup', 'Settings'],
] as const;
/** How long a test waits for what must come; only a failure takes so long. */
const timeoutMs = 60_000;
export const skip = noChromium;

export interface Seen {
  page: Page;
  context: BrowserContext;
  /** What the page complained about; a test fails for any of it that is there at its end. */
  complaints: string[];
  /** Every request that the page sent. */
  requests: { method: string; url: string; headers: Record<string, string> }[];
  /** Opens a page of the console by its path and waits for its heading. */
  visit(path: string, heading: string | RegExp): Promise<void>;
  /** Fails for anything that axe calls serious or critical. */
  accessible(): Promise<void>;
}

export function tokenOf(house: House): string {
  return readFileSync(join(house.home, 'token'), 'utf8').trim();
}

export function clientOf(house: House): ParleyClient {
  return createClient({ baseUrl: house.parley.url, token: tokenOf(house) });
}

/** A fresh browser profile at an address. */
export async function openPage(
  t: TestContext,
  address: string,
  { viewport = wide, colorScheme = 'light', ...more }: BrowserContextOptions = {},
): Promise<Seen> {
  const context = await openProfile(t, { viewport, colorScheme, ...more });
  context.setDefaultTimeout(timeoutMs);
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: Seen['requests'] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('request', (request) =>
    requests.push({ method: request.method(), url: request.url(), headers: request.headers() }),
  );
  t.after(() => {
    // the program of a test ends before its page, whose stream then finds nobody
    assert.deepEqual(
      complaints.filter((line) => !line.includes('ERR_CONNECTION_REFUSED')),
      [],
    );
  });
  await page.goto(address);
  const origin = new URL(address).origin;
  return {
    page,
    context,
    complaints,
    requests,
    async visit(path, heading) {
      await page.goto(`${origin}/console/${path}`);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    },
    async accessible() {
      const { violations } = await new AxeBuilder(page).analyze();
      assert.deepEqual(violations, []);
    },
  };
}

/** The console, signed in by a link of this role. */
export async function signedIn(
  t: TestContext,
  house: House,
  {
    role = 'owner',
    name = 'Anna',
    ...how
  }: {
    role?: 'owner' | 'viewer';
    name?: string;
    viewport?: typeof wide;
    colorScheme?: 'light' | 'dark';
  } = {},
): Promise<Seen> {
  const { path } = await clientOf(house).signIns.link({ role, name });
  const seen = await openPage(t, house.parley.url + path, how);
  house.beforeEnd.push(() => seen.context.close());
  await seen.page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
  return seen;
}

/** What a scripted model does: its answer, a tool call before it, and its pause after every 20 characters. */
export interface Script {
  tool?: { name: string; arguments: object } | undefined;
  betweenPiecesMs?: number | undefined;
  /** Names of messages that have their own answers. */
  answers?: Readonly<Record<string, string>> | undefined;
}

/** A house whose channels are connected; a scripted model answers everything with `content`. */
export async function scriptedHouse(
  t: TestContext,
  content: string,
  { tool, betweenPiecesMs = 0, answers = {} }: Script = {},
  config: object = {},
): Promise<House> {
  const model = new LLMock({
    ...{ port: 0, host: '127.0.0.1', logLevel: 'silent', chunkSize: 20, latency: betweenPiecesMs },
  });
  await model.start();
  t.after(() => model.stop());
  if (tool !== undefined)
    model.addFixture({
      match: { userMessage: /.*/, hasToolResult: false },
      response: { toolCalls: [{ name: tool.name, arguments: JSON.stringify(tool.arguments) }] },
    });
  for (const [message, answer] of Object.entries(answers))
    model.onMessage(new RegExp(message), { content: answer });
  model.onMessage(/.*/, { content });
  const house = await openHouse(t, {
    config: { model: { name: 'any' }, ...config },
    variables: { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: `${model.url}/v1` },
  });
  await house.ready('discord', 'telegram', 'slack');
  return house;
}

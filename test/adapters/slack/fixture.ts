// A Slack channel connected to a sandbox, both closed when the test ends. No test.

import type { TestContext } from 'node:test';
import { z } from 'zod';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import { createSlackChannel } from '#adapters/slack/channel.ts';
import type { SlackChannelOptions } from '#adapters/slack/connection/channel-options.ts';
import { type AppKind, slackManifest } from '#adapters/slack/setup/manifest.ts';
import { systemClock } from '#base/clock.ts';
import { createSlackSandbox, type SlackSandbox, type SlackSandboxOptions } from '#sandbox/slack/server.ts';
import { until } from '../../support/found.ts';
import { type MemorySink, memorySink, quiet } from './harness.ts';

export interface Fixture {
  sandbox: SlackSandbox;
  channel: Channel;
  sink: MemorySink;
  /** Connects (again, as after a restart, with the same sink); ready once so many cursors stand, as the rooms have and one. */
  start(cursors?: number): Promise<void>;
  /** Disconnects and waits until it is done. */
  stop(): Promise<void>;
}

export interface FixtureOptions {
  connection?: 'socket' | 'polling';
  /** `bot` unless set otherwise. */
  app?: AppKind;
  sandbox?: Partial<SlackSandboxOptions>;
  channel?: Partial<SlackChannelOptions>;
}

const manifestSchema = z.object({
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
  settings: z.object({ event_subscriptions: z.object({ bot_events: z.array(z.string()) }) }),
});

/** What an app of the manifest may call and is told. */
export function grantedBy(kind: AppKind): { scopes: string[]; subscriptions: string[] } {
  const { oauth_config: oauth, settings } = manifestSchema.parse(slackManifest({ name: 'Parley', kind }));
  return { scopes: oauth.scopes.bot, subscriptions: settings.event_subscriptions.bot_events };
}

/** A sandbox whose app is one of the manifest, and a channel that is not connected yet. */
export async function fixture(t: TestContext, options: FixtureOptions = {}): Promise<Fixture> {
  const sandbox = await createSlackSandbox({
    clock: systemClock,
    ...grantedBy(options.app ?? 'bot'),
    ...options.sandbox,
  });
  const channel = createSlackChannel({
    botToken: sandbox.tokens.bot,
    ...(options.connection === 'polling' ? {} : { appToken: sandbox.tokens.app }),
    apiUrl: sandbox.url,
    clock: systemClock,
    log: quiet,
    pollMs: 15,
    ...options.channel,
  });
  const sink = memorySink();
  let running: { stop: AbortController; done: Promise<void> } | undefined;
  async function stop(): Promise<void> {
    running?.stop.abort();
    await running?.done;
    running = undefined;
  }
  async function start(cursors = 5): Promise<void> {
    const controller = new AbortController();
    const ready = sink.states.filter(({ state }) => state === 'ready').length;
    running = { stop: controller, done: channel.run(sink, controller.signal) };
    await until('ready', () => sink.states.filter(({ state }) => state === 'ready').length > ready);
    // the first round seeds cursors: what is written before is old, what is written after is new
    await until('cursors', () => sink.cursors.size >= cursors);
  }
  t.after(async () => {
    await stop();
    await sandbox.close();
  });
  return { sandbox, channel, sink, start, stop };
}

/** The fixture, connected. */
export async function connected(t: TestContext, options: FixtureOptions = {}): Promise<Fixture> {
  const made = await fixture(t, options);
  await made.start();
  return made;
}

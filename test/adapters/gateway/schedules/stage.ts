// A chat over real schedules on a clock that the test moves: commands in, reminders out. No test.
import type { TestContext } from 'node:test';
import { type Address, formatAddress } from '#adapters/gateway/terms/address.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import type { ScheduleService } from '#engine/wire/schedules/schedule-operations.ts';
import { openScheduleKit, type ScheduleKit } from '../../../engine/support/schedule-kit.ts';
import { type CommandChat, commandChat } from '../commands/kit.ts';
import type { HarnessOptions } from '../harness.ts';
import { createScriptedChannel } from '../scripted-channel.ts';
import { createScriptedEngine } from '../scripted-engine.ts';

export interface ScheduleStage extends CommandChat {
  kit: ScheduleKit;
  /** What the bot said in a chat since the last look. */
  news(at?: Address): string[];
  /** Lets so much time pass, and everything that is due happen. */
  wait(ms: number): Promise<void>;
}

export const minute = 60_000;

export async function scheduleStage(t: TestContext, options: HarnessOptions = {}): Promise<ScheduleStage> {
  const kit = openScheduleKit(t);
  const service = new Proxy({} as ScheduleService, {
    get:
      (_, name: keyof ScheduleService & string) =>
      (...args: never[]) =>
        (kit.rooms.service[name] as (...given: never[]) => unknown)(...args),
    ownKeys: () => Object.keys(kit.rooms.service),
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
  const engine = Object.assign(
    createScriptedEngine((texts) => `You said ${texts.join(' ')}.`),
    service,
  );
  const chat = await commandChat(t, {
    clock: kit.clock,
    channel: createScriptedChannel({ partLimit: 4_000, buttons: true }),
    engine,
    ...options,
  });
  const seen = new Map<string, number>();
  return Object.assign(chat, {
    kit,
    news(at?: Address) {
      const all = chat.channel.messages
        .filter(({ address }) => at === undefined || address === formatAddress(at))
        .map(({ text }) => text);
      const key = at === undefined ? '' : formatAddress(at);
      const from = seen.get(key) ?? 0;
      seen.set(key, all.length);
      return all.slice(from);
    },
    async wait(ms: number) {
      await kit.clock.advance(ms);
      await chat.pass();
    },
  });
}

let presses = 0;

/** Presses the button with this label below the newest message that has it. */
export async function press(
  stage: ScheduleStage,
  label: RegExp,
  by: Pick<MessageEvent, 'actor' | 'address'>,
): Promise<void> {
  const shown = stage.channel.messages.findLast(({ text }) => label.test(text))?.text ?? '';
  const button = [...shown.matchAll(/\[([^[\]|]+)\|([^[\]|]+)\]/g)].find(([, name = '']) => label.test(name));
  if (button === undefined) throw new Error(`no button like ${label} below ${JSON.stringify(shown)}`);
  presses += 1;
  await stage.channel.sink.accept({
    type: 'choice',
    nativeID: `press${presses}`,
    at: stage.clock.now(),
    choice: button[2] ?? '',
    settle: () => {},
    ...by,
  });
  await stage.pass();
}

// What is due: taken from the engine, and made a message or a turn in one transaction; its outcome is reported back.

import type { ChannelRules } from '#adapters/gateway/admission/channel-rules.ts';
import { limitUsedUp } from '#adapters/gateway/admission/limits.ts';
import { isRefusedForLong } from '#adapters/gateway/ledger/refused-rows.ts';
import type { TakenFiring } from '#adapters/gateway/ledger/turns/taken-firings.ts';
import { type Address, formatAddress, parseAddress } from '#adapters/gateway/terms/address.ts';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import { codeOf, errorMessage } from '#base/errors.ts';
import { isDiskFailure } from '#base/files/disk-failures.ts';
import { backoffMs, isAbort } from '#base/waiting/async.ts';
import type { Firing } from '#engine/wire/schedules/schedule.ts';
import type { DueOptions } from './due-options.ts';
import { eventOf, firingAuthor, firingText, takenOf } from './firing-event.ts';
import { createOutcomeReports } from './reports.ts';

interface Due {
  /** Takes what is due until the gateway closes; resolves then. */
  run(): Promise<void>;
}

/** How long the engine may wait for something that is due, in milliseconds. */
const waitMs = 60_000;
const retry = { firstMs: 500, capMs: 30_000 };

/** Stored with the schedule, for the operator. */
const notAdmitted = 'its person may not use me there any more';

/** A firing that becomes a turn, by the rules of its channel. */
interface Beginning {
  taken: TakenFiring;
  event: MessageEvent;
  person: string;
  talk: ChannelRules | undefined;
}

/** Fires the schedules of one gateway when they are due. */
export function createDue(options: DueOptions): Due {
  const { engine, ledger, admission, sender, connectionOf, clock, newId, log, signal } = options;
  const reports = createOutcomeReports(options);

  /** Stores what the firing becomes, inside of a transaction; what is to be done after it. */
  const takeIn = (firing: Firing, address: Address, channel: Channel): (() => void) => {
    const author = firingAuthor(firing, address, ledger);
    const event = eventOf(firing, address, { author, ledger, at: clock.now() });
    const talk = options.rulesOf(address);
    const taken = takenOf(firing, address);
    const now = clock.now();
    if (author.due.by === 'schedule') {
      const verdict = talk && admission.decide(event, talk.access, 'none');
      if (verdict?.kind !== 'admitted') {
        const refusal = { status: 'refused', reason: notAdmitted } as const;
        ledger.takenFirings.insert(taken, { refusal, at: now });
        return reports.look;
      }
      const what =
        firing.kind === 'text'
          ? undefined
          : limitUsedUp(event, {
              ledger,
              limits: options.limits(),
              person: author.person,
              role: verdict.role,
              lane: () => laneFor({ event, person: author.person, talk }, options.assistants),
              nameIn: options.assistants.nameIn,
              now,
            });
      if (what !== undefined) {
        ledger.takenFirings.insert(taken, {
          refusal: {
            status: 'skipped',
            reason: `a limit of ${what.limit} ${what.unit} within a day is used up`,
          },
          at: now,
        });
        const notify = admission.refuse(event, what);
        return () => {
          notify();
          reports.look();
        };
      }
    }
    return firing.kind === 'text'
      ? say(firing, { taken, event, channel })
      : begin({ taken, event, person: author.person, talk });
  };

  const say = (
    firing: Firing,
    { taken, event, channel }: { taken: TakenFiring; event: MessageEvent; channel: Channel },
  ): (() => void) => {
    const { address } = taken;
    const id = newId('out');
    const now = clock.now();
    const parts = channel
      .render(
        firingText(firing, { event, now, phrases: options.book.for({ address, person: taken.person }) }),
      )
      .map((part, ordinal) => ({ part, key: `d${taken.id.slice(-20)}${ordinal.toString(36)}` }));
    ledger.takenFirings.insert(taken, { outboxID: id, at: now });
    const replyTo = event.inReplies === true ? event.retryOf : undefined;
    ledger.outbox.insert({ id, address, replyTo, parts, at: now });
    return () => void sender.deliver(id, address);
  };

  const begin = ({ taken, event, person, talk }: Beginning): (() => void) => {
    const id = newId('inb');
    const now = clock.now();
    const lane = laneFor({ event, person, talk }, options.assistants);
    ledger.takenFirings.insert(taken, { inboxID: id, at: now });
    ledger.inbox.insert({ id, lane, person, kind: 'message', event, receivedAt: now });
    return () => options.lanes.wake(lane);
  };

  const handle = async (firing: Firing): Promise<void> => {
    const address = ledger.chatMigrations.currentAddress(parseAddress(firing.chat));
    const connection = connectionOf(address);
    if (connection === undefined) return; // switched off since it was asked for: given again at the next start
    if (!ledger.takenFirings.has(firing.id)) {
      const after = await ledger.persist(
        () => ledger.commit(() => takeIn(firing, address, connection.channel)),
        signal,
      );
      after();
    }
    await engine.settleFiring({ id: firing.id, status: 'accepted' });
  };

  const handleOne = createHandleOne(options, handle);

  return {
    async run() {
      let gateway: string | undefined;
      reports.start();
      for (let failures = 0; !signal.aborted; ) {
        try {
          // at once: a commit that waits could come after the ledger is closed
          gateway ??= ledger.transact(() => ledger.takenFirings.gatewayName(newId));
          const platforms = [...new Set(options.channels.map(({ channel }) => channel.platform))];
          const firings = await engine.takeFirings({ gateway, platforms, wait_ms: waitMs }, { signal });
          const outcomes: ('over' | 'refused')[] = [];
          for (const firing of firings) outcomes.push(await handleOne(firing));
          failures = outcomes.includes('refused') ? failures + 1 : 0;
          if (failures > 0) await clock.sleep(backoffMs(failures, retry), signal).catch(() => undefined);
        } catch (error) {
          if (isAbort(error, signal) || signal.aborted) return;
          failures += 1;
          log.error({ words: errorMessage(error) }, 'what is due could not be taken');
          await clock.sleep(backoffMs(failures, retry), signal).catch(() => undefined);
        }
      }
    },
  };
}

/** What a program sends has a separate conversation, in which nobody else speaks. */
function laneFor(
  { event, person, talk }: Omit<Beginning, 'taken'>,
  { laneNow, laneOf }: DueOptions['assistants'],
): string {
  if (event.due?.by !== 'hook') return laneOf(event, person, talk?.sessions ?? 'room');
  const { address } = event;
  return laneNow(`${formatAddress(address)}#${person}`, { address, person });
}

/** Takes one in, by `handle`. What cannot be taken in holds up nothing else: it is tried for as long as a part of an answer, and then stopped. */
function createHandleOne(
  { engine, clock, log, signal, giveUpMs }: DueOptions,
  handle: (firing: Firing) => Promise<void>,
): (firing: Firing) => Promise<'over' | 'refused'> {
  /** Those that were refused before, and since when, in milliseconds. */
  const refused = new Map<string, { times: number; since: number }>();
  return async (firing) => {
    const { id } = firing;
    try {
      await handle(firing);
    } catch (error) {
      if (isAbort(error, signal) || isDiskFailure(error) || codeOf(error) === 'engine_unreachable')
        throw error;
      const words = errorMessage(error);
      log.error({ firing: id, words }, 'something due could not be taken in');
      const now = clock.now();
      const { times, since } = refused.get(id) ?? { times: 0, since: now };
      const all = { times: times + 1, since };
      refused.set(id, all);
      if (!isRefusedForLong(all, { now, giveUpMs: giveUpMs() })) return 'refused';
      await engine.settleFiring({ id, status: 'failed', reason: `it could not be taken in: ${words}` });
    }
    refused.delete(id);
    return 'over';
  };
}

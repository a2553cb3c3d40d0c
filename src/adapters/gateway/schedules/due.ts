// What is due: taken from the engine, and made a message or a turn in one transaction; its outcome is reported back.
import type { ChannelRules } from '#adapters/gateway/access/channel-rules.ts';
import { usedUp } from '#adapters/gateway/access/limits.ts';
import { type Address, formatAddress, parseAddress } from '#adapters/gateway/address.ts';
import type { Channel } from '#adapters/gateway/channel.ts';
import type { MessageEvent } from '#adapters/gateway/inbound.ts';
import type { TakenFiring } from '#adapters/gateway/ledger/taken-firings.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { laneOf } from '#adapters/gateway/turns/lane.ts';
import { backoffMs, isAbort } from '#base/async.ts';
import { errorMessage } from '#base/errors.ts';
import type { Firing } from '#engine/wire/schedule.ts';
import type { DueOptions } from './due-options.ts';
import { createReports } from './reports.ts';

export interface Due {
  /** Takes what is due until the gateway closes; resolves then. */
  run(): Promise<void>;
}

/** How long the engine may wait for something that is due, in milliseconds. */
const waitMs = 60_000;
const retry = { firstMs: 500, capMs: 30_000 };
/** From so much on something that was due is late, and says so; in milliseconds. */
const lateMs = 2 * 60_000;

/** Stored with the schedule, for the operator. */
const notAdmitted = 'its person may not use me there any more';

/** Whose schedule it is, at this moment. */
interface Author {
  person: string;
  actor: MessageEvent['actor'];
  due: NonNullable<MessageEvent['due']>;
}

/** What is due for one gateway. */
export function createDue(options: DueOptions): Due {
  const { engine, ledger, admission, sender, connectionOf, clock, newId, log, signal } = options;
  const reports = createReports(options);

  const authorOf = ({ person, source_id }: Firing, { platform }: Address): Author => {
    if (person === null) {
      // a hook is a separate account, with no right and no memory of any person
      const actor = { id: `hook:${source_id}`, name: `webhook ${source_id}`, isBot: true };
      return { person: ledger.identities.meet(platform, actor), actor, due: { by: 'hook', name: source_id } };
    }
    const { userID, shownAs } = ledger.persons.standingOf(person);
    return { person, actor: { id: userID, name: shownAs, isBot: false }, due: { by: 'schedule' } };
  };

  /** The firing as a message of its author's, in the place where that wrote last. */
  const eventOf = (firing: Firing, address: Address, { person, actor, due }: Author): MessageEvent => {
    const { room, topic, inReplies, nativeID, retryOf } = ledger.inbox.lastIn(address, person)?.event ?? {};
    return {
      type: 'message',
      ...{ address, actor, due, text: firing.text, files: [] },
      nativeID: `due:${firing.id}`,
      at: clock.now(),
      addressed: address.kind === 'dm' ? 'dm' : 'mention',
      ...(room === undefined ? {} : { room }),
      ...(topic === undefined ? {} : { topic }),
      // there an answer is visible only below what it answers
      ...(inReplies === undefined ? {} : { inReplies, retryOf: retryOf ?? nativeID }),
    };
  };

  /** Stores what the firing becomes, inside of a transaction; what is to be done after it. */
  const takeIn = (firing: Firing, address: Address, channel: Channel): (() => void) => {
    const author = authorOf(firing, address);
    const event = eventOf(firing, address, author);
    const talk = options.channels.find(({ channel: { platform } }) => platform === address.platform)?.talk();
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
          : usedUp(event, {
              ledger,
              limits: options.limits(),
              person: author.person,
              role: verdict.role,
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
      .render(textOf(firing, { event, now, phrases: options.book.for({ address, person: taken.person }) }))
      .map((part, ordinal) => ({ part, key: `d${taken.id.slice(-20)}${ordinal.toString(36)}` }));
    ledger.takenFirings.insert(taken, { outboxID: id, at: now });
    const replyTo = event.inReplies === true ? event.retryOf : undefined;
    ledger.outbox.insert({ id, address, replyTo, parts, at: now });
    return () => void sender.deliver(id, address);
  };

  const begin = ({
    taken,
    event,
    person,
    talk,
  }: {
    taken: TakenFiring;
    event: MessageEvent;
    person: string;
    talk: ChannelRules | undefined;
  }): (() => void) => {
    const id = newId('inb');
    const now = clock.now();
    // what a program sends has a separate conversation, in which nobody else speaks
    const lane =
      event.due?.by === 'hook'
        ? `${formatAddress(event.address)}#${person}`
        : laneOf(event, person, talk?.sessions ?? 'room');
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
    await engine.settleFiring(firing.id, { status: 'accepted' });
  };

  return {
    async run() {
      let gateway: string | undefined;
      reports.start();
      for (let failures = 0; !signal.aborted; ) {
        try {
          // at once: a commit that waits could come after the ledger is closed
          gateway ??= ledger.transact(() => ledger.takenFirings.gatewayName(newId));
          const platforms = options.channels.map(({ channel }) => channel.platform);
          const firings = await engine.takeFirings({ gateway, platforms, wait_ms: waitMs }, signal);
          for (const firing of firings) await handle(firing);
          failures = 0;
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

const takenOf = ({ id, source, source_id, person }: Firing, address: Address): TakenFiring => ({
  ...{ id, source, sourceID: source_id, person: person ?? undefined },
  address,
});

/** A reminder with its reason for being late; what a hook sent with the hook's name. */
function textOf(
  firing: Firing,
  { event, now, phrases }: { event: MessageEvent; now: number; phrases: Phrases },
): string {
  const { address, actor } = event;
  const { schedules } = phrases;
  const { text, source, source_id, due_at_ms: due, released_at_ms: released, zone } = firing;
  if (source === 'hook') return schedules.hook({ name: source_id, text });
  const name = address.kind === 'dm' ? undefined : actor.name;
  const said = schedules.reminder({ text, name });
  const at = schedules.moment({ at: due, zone });
  if (now - released >= lateMs) return `${said}\n\n${schedules.late({ at })}`;
  if (released - due >= lateMs) return `${said}\n\n${schedules.afterQuiet({ at })}`;
  return said;
}

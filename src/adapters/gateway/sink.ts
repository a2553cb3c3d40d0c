// Where inbound events come in: decides what is for the bot and commits it, before the platform is notified that it arrived.
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log.ts';
import type { MaskText } from '#base/masked-value.ts';
import { choose } from './access/accept-button-press.ts';
import type { Admission } from './access/admission.ts';
import type { Approvers } from './access/approvers.ts';
import type { ChannelRules } from './access/channel-rules.ts';
import { engagement, heardAs } from './access/engagement.ts';
import { type Limits, usedUp } from './access/limits.ts';
import type { Reading } from './access/reading.ts';
import { createAmending } from './amending.ts';
import { commandOf, nearMissOf } from './commands/parse.ts';
import type { Connection } from './delivery/connection.ts';
import type { AcceptResult, ChatMigratedEvent, InboundEvent, MessageEvent, Sink } from './inbound.ts';
import type { InboxRow } from './ledger/inbox.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { PostedRequest } from './ledger/posted-requests.ts';
import type { PhraseBook } from './phrases/phrase-book.ts';
import { laneOf, placeOf } from './turns/lane.ts';
import { predates } from './turns/late.ts';
import { answerIn } from './turns/request-answer.ts';

export interface SinkOptions {
  ledger: Ledger;
  connection: Connection;
  /** How it is talked in this channel, and by which person; may change. */
  talk: () => ChannelRules;
  admission: Admission;
  limits: () => Limits;
  approvers: Pick<Approvers, 'isApprover'>;
  book: PhraseBook;
  /** As secrets are masked in the ledger; not at all when absent. */
  mask?: MaskText | undefined;
  clock: Clock;
  newId: NewId;
  log: Log;
  /** Called with every new row as soon as it is written. */
  onAccepted: (row: AcceptedRow) => void;
  reading: Pick<Reading, 'changed' | 'doubt'>;
  /** Called after the commit of what happened to a message that a run answers. */
  onAmended: () => void;
  /** Called after the commit that gave a chat another id. */
  onMoved: (move: ChatMigratedEvent) => void;
}

export interface AcceptedRow {
  lane: string;
  event: MessageEvent;
  /** The row, when it is a command or answers what a run asks: it waits for nothing. */
  command: InboxRow | undefined;
}

interface Outcome {
  accepted: AcceptResult;
  /** Runs once it is written: the answer is begun while the disk is waited for, without which nothing is sent. */
  notify?: () => void;
}

/** A command, or one that was mistyped, or said where the assistant could not answer: none is for it. */
function isForUs(event: MessageEvent): boolean {
  return event.outside === true || commandOf(event) !== undefined || nearMissOf(event) !== undefined;
}

/** The sink of one connection: an event is whole in the ledger when `accept` resolves, or not at all when it rejects. */
export function createSink(options: SinkOptions): Sink {
  const { ledger, connection, clock, mask = async (text: string) => text } = options;
  const { platform } = connection.channel;
  const amending = createAmending(ledger, {
    amended: options.onAmended,
    // the disk's problems are in the status
    noteForgotten: ({ address, person }) =>
      void options.admission
        .notify(address, options.book.for({ address, person }).memory.noteForgotten)
        .catch(() => undefined),
  });

  const acceptMessage = (given: MessageEvent): Outcome => {
    const platformNow = connection.channel.now?.();
    const event = platformNow === undefined ? given : { ...given, delayMs: platformNow - given.at };
    const { address, actor, nativeID } = event;
    const ignored: Outcome = { accepted: 'ignored' };
    if (ledger.pairingRequests.isRefused(address, nativeID)) return ignored; // notified of again, it is refused all the same
    const before = ledger.identities.known(platform, actor.id);
    const { access, sessions } = options.talk();
    const engaged = engagement({ event, person: before, access }, { ledger, now: clock.now() });
    const verdict = options.admission.decide(heardAs(event, engaged), access, engaged);
    if (verdict.kind === 'refused')
      return { accepted: 'ignored', notify: options.admission.refuse(event, verdict.why) };
    // anyone who only talks to others in a room may be reminded of that room in private; other bots need not
    if (verdict.kind === 'outside' || (verdict.kind === 'unmeant' && actor.isBot)) return ignored;
    if (verdict.kind === 'admitted' && !isForUs(event)) {
      const { role } = verdict;
      const limit = usedUp(event, {
        ledger,
        limits: options.limits(),
        person: before,
        role,
        now: clock.now(),
      });
      if (limit !== undefined && ledger.inbox.find(address, nativeID) === undefined)
        return { accepted: 'ignored', notify: options.admission.refuse(event, limit) };
    }
    const person = ledger.identities.meet(platform, actor);
    if (address.kind !== 'dm') see(event, person);
    if (verdict.kind === 'unmeant') return ignored;
    const lane = laneOf(event, person, sessions);
    const answer = answerTo(event, lane, person);
    const said = answer === undefined && !isForUs(event);
    const kind = said && !isRefused(event, lane) ? 'message' : 'command';
    const id = options.newId('inb');
    const isNew = ledger.inbox.insert({ id, lane, person, kind, event, receivedAt: clock.now() });
    if (!isNew) {
      ledger.inbox.addFiles(event);
      return { accepted: 'duplicate' };
    }
    if (answer !== undefined) ledger.postedRequests.answer(answer.id, { inboxID: id, text: answer.text });
    const command = kind === 'command' ? ledger.inbox.find(address, event.nativeID) : undefined;
    const notify = (): void => {
      options.log.debug({ inbox: id, platform, message: nativeID, lane }, 'message taken in');
      options.onAccepted({ lane, event, command });
    };
    return { accepted: 'accepted', notify };
  };

  /** Notes who was seen in which room, and how the room is stated to be. */
  const see = (event: MessageEvent, person: string): void => {
    const place = placeOf(event, person, ledger.chatMigrations.originalAddress(event.address));
    ledger.identities.sighted(person, place, event.at);
    const at = event.room?.privateThread === true ? event.address : { ...event.address, thread: undefined };
    const { restricted } = ledger.rooms.seen(place, at);
    if (restricted && !place.restricted) options.reading.doubt(place.audience);
  };

  const isOlder = (event: MessageEvent, { request }: PostedRequest): boolean =>
    predates({ saidAt: event.at, receivedAt: clock.now(), event }, request.requestedAtMs);

  /** What a message answers, when the person is asked something here. */
  const answerTo = (
    event: MessageEvent,
    lane: string,
    person: string,
  ): { id: string; text: string } | undefined => {
    if (event.files.length > 0 || isForUs(event)) return undefined;
    for (const asked of openTo(event, lane, person)) {
      if (isOlder(event, asked)) continue;
      const text = answerIn(event.text, asked);
      if (text !== undefined) return { id: asked.id, text };
    }
    return undefined;
  };

  /** What is requested this person here, in a room also of anyone who may approve; the newest first. */
  const openTo = ({ address }: MessageEvent, lane: string, person: string): PostedRequest[] => {
    const isApprover = options.approvers.isApprover(person, platform);
    const open =
      address.kind === 'dm'
        ? [ledger.postedRequests.openFor(lane, person) ?? []].flat()
        : ledger.postedRequests.openAt(address);
    // also of anyone who was asked in private: a role or a link may have ended since
    return open.filter((asked) =>
      asked.request.kind === 'permission' ? isApprover : asked.person === person,
    );
  };

  /** A number, from someone who may not give the leave that is waited for in this room: it is reported, and said to nobody else. */
  const isRefused = (event: MessageEvent, lane: string): boolean =>
    event.address.kind !== 'dm' &&
    event.files.length === 0 &&
    ledger.postedRequests
      .openAt(event.address)
      .some(
        (asked) =>
          asked.request.kind === 'permission' &&
          asked.lane === lane &&
          !isOlder(event, asked) &&
          answerIn(event.text, asked) !== undefined,
      );

  const decide = (event: InboundEvent, masked: string): Outcome => {
    switch (event.type) {
      case 'message':
        return acceptMessage(event);
      case 'edit':
        return amending.edit(event, masked);
      case 'preview':
        return { accepted: ledger.inbox.addShared(event) ? 'accepted' : 'ignored' };
      case 'delete':
        return amending.remove(event);
      case 'choice': {
        const newInboxID = (): string => options.newId('inb');
        const { row, words } = choose(event, {
          ledger,
          approvers: options.approvers,
          sessions: options.talk().sessions,
          book: options.book,
          newInboxID,
          now: clock.now(),
        });
        const notify = (): void => {
          event.settle(words);
          if (row !== undefined) options.onAccepted({ lane: row.lane, event: row.event, command: row });
        };
        return { accepted: row === undefined ? 'ignored' : 'accepted', notify };
      }
      case 'room':
      case 'member':
        options.reading.changed(event);
        return { accepted: 'accepted' };
      case 'moved':
        ledger.chatMigrations.move(event.from, event.to);
        return { accepted: 'accepted', notify: () => options.onMoved(event) };
    }
  };

  return {
    async accept(event, cursor) {
      const advance = (): void => {
        if (cursor !== undefined) ledger.cursors.set(platform, cursor);
      };
      if (event.type === 'message' && event.actor.isBot && options.talk().access.bots.allowed.length === 0) {
        // What the cursor has not passed comes again, and is ignored again; a disk that refuses it is on the board of problems.
        void ledger.commit(advance, 'soon').catch(() => undefined);
        ledger.traffic.received(platform, clock.now());
        return 'ignored';
      }
      // links in messages that the bot did not take in have previews too, and the disk is not waited for with them
      if (event.type === 'preview' && ledger.inbox.find(event.address, event.nativeID)?.state !== 'waiting')
        return 'ignored';
      // what is in the ledger may be masked by now, and is the same all the same
      const masked = event.type === 'edit' ? await mask(event.text) : '';
      const { accepted } = await ledger.commit(
        () => {
          const outcome = decide(event, masked);
          advance();
          return outcome;
        },
        'on disk',
        ({ notify }) => notify?.(),
      );
      ledger.traffic.received(platform, clock.now());
      return accepted;
    },
    async advance(cursor) {
      await ledger.commit(() => ledger.cursors.set(platform, cursor), 'written');
    },
    cursor: async (name) => ledger.cursors.get(platform, name),
    chats: async () => ledger.bindings.chats(platform),
    reportBacklog: connection.backlog.behind,
    report: connection.report,
    alive: connection.alive,
  };
}

// Where inbound events come in: decides what is for the bot and commits it, before it is acknowledged to the platform.

import { choose } from '#adapters/gateway/requests/accept-button-press.ts';
import { channelName } from '#adapters/gateway/terms/channel.ts';
import type { Cursor, InboundEvent, Sink } from '#adapters/gateway/terms/inbound.ts';
import { createAcceptMessage, type Outcome } from './accept-message.ts';
import { createAmending } from './amending.ts';
import { disowning } from './disowning.ts';
import { nameKnownPlace } from './name-places.ts';
import { createReacting } from './reacting.ts';
import { passingRefused } from './refused-events.ts';
import { createRerun } from './reruns.ts';
import type { SinkOptions } from './sink-options.ts';

const notifyIf = (happened: boolean, notify: () => void): Pick<Outcome, 'notify'> =>
  happened ? { notify } : {};

/** Links in messages that the bot did not take in have previews too, and names come again: the disk is not waited for with these. */
function isNoNews(event: InboundEvent, { inbox, placeNames }: SinkOptions['ledger']): boolean {
  if (event.type === 'preview') return inbox.find(event.address, event.nativeID)?.state !== 'waiting';
  return event.type === 'named' && !placeNames.differ(event.address, event.names);
}

/** The sink of one connection: an event is whole in the ledger when `accept` resolves, or not at all when it rejects. */
export function createSink(options: SinkOptions): Sink {
  const { ledger, connection, clock, mask = async (text: string) => text } = options;
  const { platform } = connection.channel;
  const bot = channelName(connection.channel);
  const amending = createAmending(ledger, {
    amended: options.onAmended,
    rerun: createRerun(options),
    // the disk's problems are in the status
    noteForgotten: ({ address, person }) =>
      void options.admission
        .notify(address, options.book.for({ address, person }).memory.noteForgotten)
        .catch(() => undefined),
  });

  const acceptMessage = createAcceptMessage(options);

  const reacting = createReacting(options);

  const decide = (event: InboundEvent, masked: string, reactedTo: string | undefined): Outcome => {
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
        const { access, sessions } = options.talk();
        const newInboxID = (): string => options.newId('inb');
        const { row, words } = choose(event, {
          ledger,
          approvers: options.approvers,
          decide: (said) => options.admission.decide(said, access, 'none'),
          laneOf: (said, person) => options.assistants.laneOf(said, person, sessions),
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
      case 'reaction':
        return reacting.accept(event, reactedTo ?? '');
      case 'room':
      case 'member':
        options.reading.changed(event);
        return { accepted: 'accepted' };
      case 'named':
        return { accepted: 'accepted', ...notifyIf(nameKnownPlace(ledger, event), options.onAmended) };
      case 'moved':
        ledger.chatMigrations.move(event.from, event.to);
        return { accepted: 'accepted', notify: () => options.onMoved(event) };
    }
  };

  // What the cursor has not passed comes again, and is ignored again; a disk that refuses it is on the board of problems.
  const pass = (cursor: Cursor): void =>
    void ledger.commit(() => ledger.cursors.set(bot, cursor), 'soon').catch(() => undefined);

  const takeIn: Sink['accept'] = async (event, cursor, written) => {
    const { account } = event.type === 'moved' ? event.to : event.address;
    await options.learn(event);
    const advance = (): void => {
      if (cursor !== undefined) ledger.cursors.set(bot, cursor);
    };
    const reactedTo = event.type === 'reaction' ? await reacting.turnOf(event) : undefined;
    const isOfNoUse =
      event.type === 'reaction'
        ? reactedTo === undefined
        : event.type === 'message' && event.actor.isBot && options.talk().access.bots.allowed.length === 0;
    if (isOfNoUse) {
      if (cursor !== undefined) pass(cursor);
      ledger.traffic.received({ platform, account }, clock.now());
      return 'ignored';
    }
    if (isNoNews(event, ledger)) return 'ignored';
    // the text in the ledger may be masked by now, and counts as the same
    const masked = event.type === 'edit' ? await mask(event.text) : '';
    const { accepted } = await ledger.commit(
      () => {
        const outcome = decide(event, masked, reactedTo);
        advance();
        return outcome;
      },
      'on disk',
      (outcome) => {
        written?.(outcome.accepted);
        outcome.notify?.();
      },
    );
    ledger.traffic.received({ platform, account }, clock.now());
    return accepted;
  };

  return {
    pass,
    ...passingRefused({ ...options, accept: takeIn, pass, explain: connection.channel.explain }),
    async advance(cursor) {
      await ledger.commit(() => ledger.cursors.set(bot, cursor), 'written');
    },
    cursor: async (name) => ledger.cursors.get(bot, name),
    chats: async () => ledger.bindings.chats(platform),
    ...disowning(options),
    accepted: async (place, range) => ledger.inbox.accepted({ ...place, platform }, range),
    reportBacklog: connection.backlog.behind,
    report: connection.report,
    alive: connection.alive,
  };
}

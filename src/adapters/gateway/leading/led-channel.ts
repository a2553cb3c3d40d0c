// A channel that connects and writes only while this instance leads its account; else it waits, connected to nothing.
import { randomUUID } from 'node:crypto';

import { isBehind } from '#adapters/gateway/ledger/cursors.ts';
import { type Address, formatAddress } from '#adapters/gateway/terms/address.ts';
import type { Channel, StreamingSurface } from '#adapters/gateway/terms/channel.ts';
import type { AcceptResult, DeleteEvent, Sink } from '#adapters/gateway/terms/inbound.ts';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import { passes } from '#base/postgres/failures.ts';
import type { Leadership, LeadershipTerm } from '#base/postgres/leadership.ts';
import type { Queryable } from '#base/postgres/postgres.ts';
import { anySignal } from '#base/waiting/async.ts';
import { openPositions, type Positions } from './positions.ts';

/** Another attempt is made once the account is led again, which the sender waits for. */
const againMs = 1_000;

/**
 * The same channel, whose `run` waits for the leadership of the account and connects for as long as it holds. Each call that people see asks
 * first whether it still does, and fails with `not_leading` (as an explained failure: transient, and surely not delivered) where it does not;
 * so is what the database refuses for the moment.
 * What a leader takes in is on record for the next one before the platform is told.
 */
export function ledChannel(
  channel: Channel,
  {
    account,
    leadership,
    takeBack,
  }: {
    account: string;
    leadership: Pick<Leadership, 'lead'>;
    /** Takes back what other instances made of a message that was changed or deleted; before this one takes the change in. */
    takeBack?: TakeBack | undefined;
  },
): Channel {
  let term: (LeadershipTerm & Pick<Positions, 'written'>) | undefined;
  const confirm = async (): Promise<void> => {
    if (term === undefined)
      throw new ParleyError('not_leading', `This instance does not lead ${account}.`, {
        hint: 'It sends what waits as soon as it does; "parley status" shows who leads.',
      });
    // what is answered is on record before: nobody else takes it in
    await term.written();
    await term.confirm();
  };
  const guarded =
    <Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      await confirm();
      return call(...given);
    };
  const guardedSurface = (surface: StreamingSurface): StreamingSurface => ({
    ...surface,
    update: guarded((markdown) => surface.update(markdown)),
    ...(surface.finish && { finish: guarded(async (markdown) => surface.finish?.(markdown)) }),
  });

  const { retitle, direct, live } = channel;
  return {
    ...channel,
    async run(sink, signal) {
      const waiting = (): void => sink.report('standby');
      while (!signal.aborted)
        await leadership.lead(account, { signal, waiting }, async (given) => {
          using running = anySignal(signal, given.signal);
          const positions = await openPositions(given, { account, instance: await instanceOf(sink) });
          await sink.disown(await positions.claim(await sink.unanswered()));
          term = { ...given, written: positions.written };
          try {
            sink.report('connecting');
            await channel.run(sharing(sink, { term: given, positions, takeBack }), running.signal);
          } catch (error) {
            if (!given.signal.aborted || signal.aborted) throw error; // else whoever leads next connects
          } finally {
            term = undefined;
          }
          if (given.signal.aborted) waiting();
        });
    },
    send: guarded(channel.send),
    edit: guarded(channel.edit),
    remove: guarded(channel.remove),
    presence: guarded(channel.presence),
    react: guarded(channel.react),
    ...(retitle && { retitle: guarded(retitle) }),
    ...(direct && { direct: guarded(direct) }),
    ...(live && {
      live(options) {
        const surface = live(options);
        return surface && guardedSurface(surface);
      },
    }),
    explain(error) {
      // what the database does not take now it takes later: nothing is passed by because of it
      if (codeOf(error) !== 'not_leading' && !passes(error)) return channel.explain(error);
      return { kind: 'transient', words: errorMessage(error), retryAfterMs: againMs, maybeDelivered: false };
    },
  };
}

/** `message` was changed or deleted on its platform. */
export type TakeBack = (
  database: Queryable,
  message: Pick<DeleteEvent, 'address' | 'nativeID'>,
) => Promise<unknown>;

/** Names the home of these messages in the database, also after the machine got another name. */
async function instanceOf(sink: Pick<Sink, 'cursor' | 'advance'>): Promise<string> {
  const known = await sink.cursor('instance');
  if (known !== undefined) return known;
  const value = `home-${randomUUID()}`;
  await sink.advance({ name: 'instance', value });
  return value;
}

/** The sink of one term: nothing is taken in after it, and the next leader begins where this one ended. */
function sharing(
  sink: Sink,
  {
    term,
    positions,
    takeBack,
  }: { term: LeadershipTerm; positions: Positions; takeBack: TakeBack | undefined },
): Sink {
  return {
    ...sink,
    async accept(event, cursor) {
      const message = event.type === 'message' ? event : undefined;
      await term.confirm();
      if (event.type === 'edit' || event.type === 'delete') await takeBack?.(term, event);
      // The database is asked, whatever was heard a moment ago: what cannot be written down afterwards the next leader would take in too.
      if (message !== undefined && (await positions.isAccepted(message))) {
        await positions.save({ cursor });
        return 'duplicate';
      }
      // Not after the disk was waited for: what the next leader does not know of by then, it takes in too.
      let saved: Promise<void> | undefined;
      const save = (accepted: AcceptResult): void => {
        // also what is here already: it may not have been written down then
        if (message !== undefined) positions.heard(message, accepted);
        saved = positions.save({ cursor, message: accepted === 'ignored' ? undefined : message });
        saved.catch(() => undefined); // awaited below
      };
      const takenPart = message && positions.companyOf(message);
      const given = takenPart === undefined ? event : { ...event, takenPart };
      const accepted = await sink.accept(given, cursor, save);
      if (saved === undefined) save(accepted);
      await saved;
      return accepted;
    },
    async advance(cursor) {
      await term.confirm();
      await sink.advance(cursor);
      await positions.save({ cursor });
    },
    pass(cursor) {
      sink.pass(cursor);
      positions.pass(cursor);
    },
    async cursor(name) {
      const [shared, own] = [positions.cursor(name), await sink.cursor(name)];
      // this instance may have taken in more in an earlier term than it could write down
      return shared === undefined || (own !== undefined && isBehind(shared, own)) ? own : shared;
    },
    async chats() {
      const all = [...(await sink.chats()), ...positions.chats()];
      return [...new Map(all.map((chat): [string, Address] => [formatAddress(chat), chat])).values()];
    },
  };
}

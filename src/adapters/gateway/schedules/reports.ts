// The outcome of each thing that was due, reported to the engine; when it stopped a schedule, its person sees it once where they can be reached.
import { setImmediate } from 'node:timers/promises';
import type { EndedFiring, TakenFiring } from '#adapters/gateway/ledger/turns/taken-firings.ts';
import { type Address, formatAddress } from '#adapters/gateway/terms/address.ts';
import { escapeMarkdown } from '#adapters/gateway/terms/command-reply.ts';
import { errorMessage } from '#base/errors.ts';
import { truncate } from '#base/text.ts';
import { backoffMs, isAbort } from '#base/waiting/async.ts';
import type { Schedule } from '#engine/wire/schedules/schedule.ts';
import type { DueOptions } from './due-options.ts';

interface OutcomeReports {
  /** Reports what has ended since the last start, and everything that ends after it. */
  start(): void;
  /** Something may have ended without a message. */
  look(): void;
}

const retry = { firstMs: 500, capMs: 30_000 };
/** Characters of a text in a notice. */
const shownChars = 200;

/** Reports how each firing ended to the engine. When a firing failed, it also writes to the person in another chat. */
export function createOutcomeReports(options: DueOptions): OutcomeReports {
  const { engine, ledger, sender, connectionOf, clock, newId, log, signal } = options;
  let busy = false;
  let again = false;

  /** Where the person is reached other than in the chat that failed: the newest direct message of their accounts. */
  const reachOf = ({ person, address }: TakenFiring): Address | undefined => {
    if (person === undefined) return undefined;
    const { key } = ledger.persons.standingOf(person);
    const accounts = key === undefined ? [person] : ledger.persons.idsOf(key);
    return accounts
      .flatMap((each) => ledger.inbox.lastDirect(each) ?? [])
      .filter((place) => formatAddress(place.address) !== formatAddress(address))
      .filter((place) => connectionOf(place.address) !== undefined)
      .sort((a, b) => b.receivedAt - a.receivedAt)[0]?.address;
  };

  const scheduleOf = async ({ person, sourceID }: TakenFiring): Promise<Schedule | undefined> =>
    person === undefined
      ? undefined
      : (await engine.listSchedules({ person: [person] })).find(({ id }) => id === sourceID);

  /** Closes the firing; the notice goes out in the same transaction, so that it is sent once. */
  const close = async (firing: EndedFiring): Promise<void> => {
    const { id, outcome, source, sourceID } = firing;
    const error = outcome.status === 'failed' ? outcome.reason : undefined;
    const reach = error === undefined ? undefined : reachOf(firing);
    const stopped = reach === undefined ? undefined : await scheduleOf(firing);
    const channel = reach && connectionOf(reach)?.channel;
    const { schedules: phrases } = options.book.for({
      address: reach ?? firing.address,
      person: firing.person,
    });
    const outboxID = newId('out');
    const words =
      stopped === undefined
        ? undefined
        : phrases.stoppedNotice({
            text: escapeMarkdown(truncate(stopped.text, shownChars)),
            when:
              stopped.recurrence === undefined
                ? stopped.words
                : phrases.rule({ rule: stopped.recurrence, zone: stopped.zone }),
            reason: escapeMarkdown(error ?? ''),
          });
    await ledger.persist(
      () =>
        ledger.commit(() => {
          ledger.takenFirings.close(id);
          if (words === undefined || reach === undefined || channel === undefined) return;
          const parts = channel
            .render(words)
            .map((part, ordinal) => ({ part, key: `s${outboxID.slice(-20)}${ordinal.toString(36)}` }));
          ledger.outbox.insert({ id: outboxID, address: reach, parts, at: clock.now() });
        }),
      signal,
    );
    if (words !== undefined && reach !== undefined) void sender.deliver(outboxID, reach);
    if (source === 'hook' && error !== undefined)
      await options.tellOwners(({ schedules }) =>
        schedules.stoppedHook({ name: sourceID, reason: escapeMarkdown(error) }),
      );
  };

  const reportAll = async (): Promise<void> => {
    await setImmediate(); // what was settled is committed by then
    const errors: unknown[] = [];
    for (const firing of ledger.takenFirings.ended())
      try {
        await engine.settleFiring({ id: firing.id, ...firing.outcome });
        await close(firing);
      } catch (error) {
        if (isAbort(error, signal)) throw error;
        errors.push(error); // it holds up no other, and is tried again
      }
    for (const error of errors) throw error;
  };

  const run = async (): Promise<void> => {
    busy = true;
    for (let failures = 0; again && !signal.aborted; ) {
      again = false;
      try {
        await reportAll();
        failures = 0;
      } catch (error) {
        if (isAbort(error, signal) || signal.aborted) break;
        failures += 1;
        again = true;
        log.error({ words: errorMessage(error) }, 'the outcome of a schedule could not be reported');
        await clock.sleep(backoffMs(failures, retry), signal).catch(() => undefined);
      }
    }
    busy = false;
  };

  const look = (): void => {
    again = true;
    if (!busy) void run();
  };

  return {
    start() {
      ledger.outbox.onSettled(look);
      look();
    },
    look,
  };
}

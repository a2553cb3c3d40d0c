// Carries out a command or an answer that was accepted: its effect, then its answer and its end in one transaction, so that it never runs again.

import { isAtLeast, withArticle } from '#adapters/gateway/access/access-types.ts';
import { askingWho } from '#adapters/gateway/access/shared-names.ts';
import type { Channel } from '#adapters/gateway/channel.ts';
import type { Sender } from '#adapters/gateway/delivery/sender.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox.ts';
import { isAbort } from '#base/async.ts';
import { isDiskFailure } from '#base/disk-failures.ts';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import type { CommandDeps } from './command-context.ts';
import { isAboutOneself, isOffered } from './enabled-commands.ts';
import { handlers } from './handlers.ts';
import { named } from './naming.ts';
import { commandOf, nearMissOf, type Said } from './parse.ts';
import { codeSpan } from './reply.ts';
import { type SeenBy, seenBy } from './seen.ts';
import { entryOf } from './table.ts';
import { type Outcome, wayOf } from './way.ts';

export interface ObeyDeps extends CommandDeps {
  sender: Sender;
}

/** What the access admin and the engine refuse with a message that are for the person too. */
const plainRefusals: ReadonlySet<string> = new Set([
  'command_refused',
  'unknown_code',
  'unknown_person',
  'account_known',
  'role_differs',
  'invalid_name',
  'session_busy',
  'unknown_time',
  'time_in_the_past',
  'too_often',
  'too_many_schedules',
  'text_needed',
  'unknown_zone',
  'schedule_not_found',
]);

/**
 * Obeys the command of an inbox row and says what was done, or that it could not be; waits for a disk that refuses. An
 * answer to what a run asks is passed on; nothing is written when it arrived, since the run's answer follows.
 */
export async function obey(row: InboxRow, channel: Channel, deps: ObeyDeps): Promise<void> {
  const { ledger, newId, sender, signal } = deps;
  const said = row.event.nativeID.startsWith('press:') ? undefined : commandOf(row.event);
  const seen: SeenBy = said === undefined ? 'room' : seenBy(said);
  const way = wayOf(row, channel, { ledger, seen });
  const work = async (): Promise<Outcome | undefined> => {
    if (said !== undefined) return carryOut(said, row, { ...deps, channel, single: way.single });
    const near = nearMissOf(row.event);
    if (near !== undefined)
      return {
        refusal: `${codeSpan(row.event.text.trim())} is no command of mine. Did you mean ${named(row.address, near)}? ${named(row.address, 'help')} lists them all.`,
      };
    if (row.event.outside === true) return { refusal: outsideNotice };
    const reply = await deps.asks.answer(row, channel);
    return reply === undefined ? undefined : { reply };
  };
  const outcome = await ledger.persist(() => attempt(work, row, deps), signal);
  if (outcome === undefined) return;
  const rows = way.rows(outcome).map((each) => ({ ...each, id: newId('out') }));
  const commit = (): void =>
    ledger.transact(() => {
      for (const { id, address, parts } of rows)
        ledger.outbox.insert({ id, address, replyTo: undefined, parts, at: deps.clock.now() });
      ledger.inbox.settle([row.id], 'answered');
    });
  await ledger.persist(commit, signal);
  await Promise.all(rows.map(({ id, address }) => sender.deliver(id, address)));
}

const outsideNotice =
  'I am not in this conversation and cannot take part in it: add me to it, or write to me in private. Only you see this.';

/** The outcome of a command, whose handler may refuse by throwing. */
async function carryOut(
  said: Said,
  row: InboxRow,
  deps: ObeyDeps & { channel: Channel; single: boolean },
): Promise<Outcome> {
  const { name, args } = said;
  const role = deps.approvers.roleOf(row.person, row.address.platform);
  const { least } = entryOf(name);
  const isOwn = isAboutOneself(said);
  const phrases = deps.book.for({ address: row.address, person: row.person, isPrivate: deps.single });
  const { platform } = row.address;
  const asWho = (refusal: string): string =>
    askingWho(refusal, { platform, actor: row.event.actor, phrases });
  if (row.event.outside === true && seenBy(said) === 'room') return { refusal: outsideNotice };
  if (!isOwn && !isAtLeast(role, least))
    return {
      refusal: asWho(
        `${named(row.address, name)} is for ${least}s; you are ${withArticle(role)}. An owner can change that.`,
      ),
    };
  if (!isOwn && !isOffered(deps.access.profile, name, role))
    return { refusal: asWho(`${named(row.address, name)} is not offered in this channel, but to owners.`) };
  return { reply: await handlers[name]({ ...deps, row, args, role, phrases }) };
}

/** What was done; what fails permanently is stated too, with a reference that finds it in the log. */
async function attempt(
  work: () => Promise<Outcome | undefined>,
  row: InboxRow,
  deps: ObeyDeps,
): Promise<Outcome | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isAbort(error, deps.signal) || deps.signal.aborted || isDiskFailure(error)) throw error;
    const known = codeOf(error) ?? '';
    if (error instanceof ParleyError && plainRefusals.has(known)) return { refusal: error.message };
    if (known === 'engine_unreachable')
      return { refusal: '⚠️ I cannot reach my engine now; please try again later.' };
    const ref = deps.newId('ref');
    deps.log.error({ inbox: row.id, ref, words: errorMessage(error) }, 'command failed');
    return { refusal: `⚠️ That did not work; please send it again. (reference ${ref})` };
  }
}

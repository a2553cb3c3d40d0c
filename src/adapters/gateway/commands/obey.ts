// Carries out a command or an answer that was accepted: its effect, then its answer and its end in one transaction, so that it never runs again.
import { askingWho } from '#adapters/gateway/access/shared-names.ts';
import { isAtLeast } from '#adapters/gateway/access/terms.ts';
import { article } from '#adapters/gateway/access/words.ts';
import type { Channel } from '#adapters/gateway/channel.ts';
import type { Sender } from '#adapters/gateway/delivery/sender.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox.ts';
import { isAbort } from '#base/async.ts';
import { codeOf, ParleyError, wordsOf } from '#base/errors.ts';
import { isStorageFailure } from '#base/storage.ts';
import type { CommandDeps, CommandReply } from './call.ts';
import { handlers } from './handlers.ts';
import { isAboutOneself, isOffered } from './offered.ts';
import { commandOf, nearMissOf } from './parse.ts';
import { code } from './reply.ts';
import { entryOf } from './table.ts';

export interface ObeyDeps extends CommandDeps {
  sender: Sender;
}

/** What the desk and the engine refuse in words that are for the person too. */
const plainRefusals: ReadonlySet<string> = new Set([
  'command_refused',
  'unknown_code',
  'unknown_person',
  'account_known',
  'role_differs',
  'invalid_name',
  'session_busy',
]);

/**
 * Obeys the command of an inbox row and says what was done, or that it could not be; waits for a disk that refuses. An
 * answer to what a run asks is passed on; nothing is said when it arrived, since the run's answer follows.
 */
export async function obey(row: InboxRow, channel: Channel, deps: ObeyDeps): Promise<void> {
  const { ledger, newId, sender, signal } = deps;
  const said = row.event.nativeID.startsWith('press:') ? undefined : commandOf(row.event);
  const asWho = (refusal: string): string => askingWho(refusal, row.address.platform, row.event.actor);
  const work = async (): Promise<string | CommandReply | undefined> => {
    const near = said === undefined ? nearMissOf(row.event) : undefined;
    if (near !== undefined)
      return `${code(row.event.text.trim())} is no command of mine. Did you mean \`/${near}\`? \`/help\` lists them all.`;
    if (said === undefined) return deps.asks.answer(row, channel);
    const { name, args } = said;
    const role = deps.approvers.roleOf(row.person, row.address.platform);
    const { least } = entryOf(name);
    const isOwn = isAboutOneself(said);
    if (!isOwn && !isAtLeast(role, least))
      return asWho(`\`/${name}\` is for ${least}s; you are ${article(role)}. An owner can change that.`);
    if (!isOwn && !isOffered(deps.access.profile, name, role))
      return asWho(`\`/${name}\` is not offered in this channel, but to owners.`);
    return handlers[name]({ ...deps, row, channel, args, role });
  };
  const reply = await ledger.persist(() => attempt(work, row, deps), signal);
  if (reply === undefined) return;
  const { words, files = [] } = typeof reply === 'string' ? { words: reply } : reply;
  const id = newId('out');
  const { placeholder } = row.event;
  const parts = [...channel.render(words), ...files].map((part, ordinal) => {
    const key = `c${row.id.slice(-20)}${ordinal.toString(36)}`;
    const preview = ordinal === 0 && placeholder !== undefined ? { key, nativeID: placeholder } : undefined;
    return { part, key, preview };
  });
  const commit = (): void =>
    ledger.transact(() => {
      ledger.outbox.insert({ id, address: row.address, replyTo: undefined, parts, at: deps.clock.now() });
      ledger.inbox.settle([row.id], 'answered');
    });
  await ledger.persist(commit, signal);
  await sender.deliver(id, row.address);
}

/** The words of what was done; what fails for good is said too, with a reference that finds it in the log. */
async function attempt<T>(work: () => Promise<T>, row: InboxRow, deps: ObeyDeps): Promise<T | string> {
  try {
    return await work();
  } catch (error) {
    if (isAbort(error, deps.signal) || deps.signal.aborted || isStorageFailure(error)) throw error;
    const known = codeOf(error) ?? '';
    if (error instanceof ParleyError && plainRefusals.has(known)) return error.message;
    if (known === 'engine_unreachable') return '⚠️ I cannot reach my engine now; please try again later.';
    const ref = deps.newId('ref');
    deps.log.error({ inbox: row.id, ref, words: wordsOf(error) }, 'command failed');
    return `⚠️ That did not work; please send it again. (reference ${ref})`;
  }
}

// Carries out a command or an answer that was accepted: its effect, then its answer and its end in one transaction, so that it never runs again.

import { type SeenBy, seenBy } from '#adapters/gateway/commands/memory/seen.ts';
import type { Sender } from '#adapters/gateway/delivery/sender.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { scheduleProblemText } from '#adapters/gateway/schedules/problem-text.ts';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import { commandNamer } from '#adapters/gateway/terms/command-names.ts';
import { CommandRefusal, codeSpan } from '#adapters/gateway/terms/command-reply.ts';
import { commandEntry } from '#adapters/gateway/terms/command-table.ts';
import { commandOf, nearMissOf, type ParsedCommand } from '#adapters/gateway/terms/parse-command.ts';
import { isAtLeast } from '#adapters/gateway/terms/role.ts';
import { askingWho } from '#adapters/gateway/terms/shared-names.ts';
import { codeOf, errorMessage } from '#base/errors.ts';
import { isDiskFailure } from '#base/files/disk-failures.ts';
import { isAbort } from '#base/waiting/async.ts';
import { scheduleProblemOf } from '#engine/wire/schedules/schedule-problem.ts';
import type { CommandDeps, CommandReply } from './command-context.ts';
import { isAboutOneself, isOffered } from './enabled-commands.ts';
import { handlers } from './handlers.ts';
import { type CommandOutcome, type Way, wayOf } from './way.ts';

interface ObeyDeps extends CommandDeps {
  sender: Sender;
}

/**
 * Obeys the command of an inbox row and says what was done, or that it could not be; waits for a disk that refuses. An
 * answer to a run's question is passed on; nothing is said when it arrived, since the run's answer follows.
 */
export async function obey(row: InboxRow, channel: Channel, deps: ObeyDeps): Promise<void> {
  const { ledger, newId, sender, signal, book } = deps;
  const parsed = row.event.nativeID.startsWith('press:') ? undefined : commandOf(row.event);
  const seen: SeenBy = parsed === undefined ? 'room' : seenBy(parsed);
  const way = wayOf(row, channel, { ledger, seen, book });
  const { refusal: phrases } = way.phrases;
  const work = async (): Promise<CommandOutcome | undefined> => {
    if (parsed !== undefined) return carryOut(parsed, row, { ...deps, channel, way });
    const near = nearMissOf(row.event);
    if (near !== undefined) {
      const typed = codeSpan(row.event.text.trim());
      const command = commandNamer(row.address, phrases);
      return { refusal: phrases.commands.unknown({ typed, nearest: near, command }) };
    }
    if (row.event.outside === true) return { refusal: phrases.commands.outside };
    const reply = await deps.asks.answer(row, channel);
    return reply === undefined ? undefined : { reply };
  };
  const outcome = await ledger.persist(() => attempt(work, row, { ...deps, phrases }), signal);
  if (outcome === undefined) return;
  const { proposes, decides, showsItself }: Partial<CommandReply> =
    'reply' in outcome && typeof outcome.reply === 'object' ? outcome.reply : {};
  const isSeen = showsItself === true && row.event.about !== undefined;
  const rows = isSeen ? [] : way.rows(outcome).map((each) => ({ ...each, id: newId('out') }));
  const commit = (): void =>
    ledger.transact(() => {
      for (const { id, address, parts } of rows)
        ledger.outbox.insert({ id, address, replyTo: undefined, parts, at: deps.clock.now() });
      if (proposes !== undefined && rows[0] !== undefined)
        ledger.proposals.insert({ id: proposes, outboxID: rows[0].id });
      if (decides !== undefined) ledger.proposals.decide(decides);
      ledger.inbox.settle([row.id], 'answered');
    });
  await ledger.persist(commit, signal);
  if (decides !== undefined) deps.asks.showSettled();
  await Promise.all(rows.map(({ id, address }) => sender.deliver(id, address)));
}

/** The outcome of a command, whose handler may refuse by throwing. */
async function carryOut(
  parsed: ParsedCommand,
  row: InboxRow,
  deps: ObeyDeps & { channel: Channel; way: Way },
): Promise<CommandOutcome> {
  const { name, args } = parsed;
  const { way, approvers, access } = deps;
  const { address, event } = row;
  const { platform } = address;
  const role = approvers.roleOf(row.person, address);
  const { least } = commandEntry(name);
  const isOwn = isAboutOneself(parsed);
  const { refusal: phrases, reply } = way.phrases;
  const command = commandNamer(address, phrases);
  const refused = (words: string): CommandOutcome => ({
    refusal: askingWho(words, { platform, actor: event.actor, phrases }),
  });
  if (event.outside === true && seenBy(parsed) === 'room') return { refusal: phrases.commands.outside };
  if (!isOwn && !isAtLeast(role, least)) {
    const [roles, is] = [phrases.access.roles({ role: least }), phrases.access.role({ role })];
    return refused(phrases.commands.onlyFor({ name, roles, role: is, command }));
  }
  if (!isOwn && !isOffered(access.profile, name, role))
    return refused(phrases.commands.ownersOnlyHere({ name, command }));
  // no command shows or changes what a message said before it was edited or deleted
  if (commandEntry(name).remembers === true) await deps.handOvers.flush();
  const call = { ...deps, row, args, role, single: way.single, phrases: reply };
  return { reply: await handlers[name]({ ...call, command: commandNamer(address, reply) }) };
}

/** What was done; what fails permanently is reported too, with a reference that finds it in the log. */
async function attempt(
  work: () => Promise<CommandOutcome | undefined>,
  row: InboxRow,
  deps: ObeyDeps & { phrases: Phrases },
): Promise<CommandOutcome | undefined> {
  const { phrases } = deps;
  try {
    return await work();
  } catch (error) {
    if (isAbort(error, deps.signal) || deps.signal.aborted || isDiskFailure(error)) throw error;
    if (error instanceof CommandRefusal)
      return { refusal: error.wording(phrases, commandNamer(row.address, phrases)) };
    const known = codeOf(error);
    const problem = scheduleProblemOf(error);
    if (problem !== undefined)
      return { refusal: scheduleProblemText(problem, phrases, commandNamer(row.address, phrases)) };
    if (known === 'engine_unreachable') return { refusal: phrases.commands.engineUnreachable };
    if (known === 'session_busy') return { refusal: phrases.commands.busy };
    const ref = deps.newId('ref');
    deps.log.error({ inbox: row.id, ref, words: errorMessage(error) }, 'command failed');
    return { refusal: phrases.commands.failed({ ref }) };
  }
}

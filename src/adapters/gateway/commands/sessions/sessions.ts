// Commands about the conversations of a chat: new, sessions, resume, rename, retry. Only the chat's own are ever shown.

import { limitUsedUp } from '#adapters/gateway/admission/limits.ts';
import { usedUpMessage } from '#adapters/gateway/admission/messages.ts';
import { rerunProposal } from '#adapters/gateway/admission/rerun-choices.ts';
import type { CommandCall, CommandDeps, CommandHandler } from '#adapters/gateway/commands/command-context.ts';
import type { BoundSession } from '#adapters/gateway/ledger/bindings.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import { assistantIn } from '#adapters/gateway/ledger/lane-name.ts';
import {
  byShortID,
  escapeMarkdown,
  paginate,
  refusal,
  shortOf,
} from '#adapters/gateway/terms/command-reply.ts';
import { placeOfSession } from '#adapters/gateway/turn-prompt/session-of.ts';
import { codeOf } from '#base/errors.ts';
import { truncate } from '#base/text.ts';
import type { WireSessionMessage } from '#engine/wire/sessions/message.ts';
import { cancelRun } from './stop.ts';

const titleChars = 200;

/** `/new [TITLE]`: binds the chat to a new session. */
export const startNewCommand: CommandHandler = async (call) => {
  const { engine, ledger, clock, row, args, signal } = call;
  const title = titleIn(args);
  await endAsked(call);
  const sourceMetadata = placeOfSession(row.address, row.lane);
  const how = { idempotencyKey: `new-${row.id}`, signal };
  const input = { sourceKind: 'channel' as const, sourceMetadata, ...(title === undefined ? {} : { title }) };
  const { id } = await engine.createSession(input, how);
  const { lane, address, person } = row;
  ledger.transact(() => ledger.bindings.bind(lane, address, { id, at: clock.now(), person }));
  if (title !== undefined) await retitle(call, title);
  const { sessions } = call.phrases;
  return title === undefined ? sessions.started : sessions.startedAs({ title: escapeMarkdown(title) });
};

/** `/sessions [PAGE]`: lists the conversations of this chat. */
export const listCommand: CommandHandler = async ({ engine, ledger, row, args, phrases, command }) => {
  const words = phrases.sessions;
  const all = ownSessions(ledger, row);
  if (all.length === 0) return words.none;
  const { shown, foot } = paginate(all, { typed: args, words: 'sessions', phrases, command });
  const limit = { limit: shown.length, offset: 0 };
  const { sessions } = await engine.findSessions({ ids: shown.map(({ sessionID }) => sessionID), ...limit });
  const current = ledger.bindings.sessionOf(row.lane);
  const lines = shown.map(({ sessionID, lane, boundAt }) => {
    const title = sessions.find(({ id }) => id === sessionID)?.title;
    const about = title === undefined ? words.deleted : escapeMarkdown(truncate(title, 80));
    const notes = [
      words.day({ atMs: boundAt }),
      ...(sessionID === current ? [words.current] : []),
      ...(lane === row.lane ? [] : [words.fromPlatform({ platform: lane.split(':')[0] ?? '' })]),
    ];
    return `- \`${shortOf(sessionID)}\` ${about} (${notes.join(', ')})`;
  });
  return [lines.join('\n'), ...(foot === undefined ? [] : [foot]), words.how({ command })].join('\n\n');
};

/** `/resume ID`: binds the chat to one of its earlier sessions. */
export const resumeCommand: CommandHandler = async (call) => {
  const { engine, ledger, clock, row, args } = call;
  if (args === '') throw refusal(({ sessions: words }, command) => words.resumeWhich({ command }));
  const { sessionID } = byShortID(args, ownSessions(ledger, row), (one) => one.sessionID);
  const { sessions } = await engine.findSessions({ ids: [sessionID], limit: 1, offset: 0 });
  const [session] = sessions;
  if (session === undefined) throw refusal(({ sessions: words }, command) => words.gone({ command }));
  if (ledger.bindings.sessionOf(row.lane) !== sessionID) await endAsked(call);
  const { lane, address, person } = row;
  ledger.transact(() => ledger.bindings.bind(lane, address, { id: sessionID, at: clock.now(), person }));
  return call.phrases.sessions.resumed({ title: escapeMarkdown(session.title) });
};

/** `/rename TITLE`: names the current session. */
export const renameCommand: CommandHandler = async (call) => {
  const { engine, ledger, row, args } = call;
  const title = titleIn(args);
  if (title === undefined) throw refusal(({ sessions }, command) => sessions.renameHow({ command }));
  const sessionID = ledger.bindings.sessionOf(row.lane);
  if (sessionID === undefined) throw refusal(({ sessions }) => sessions.none);
  // a title is words of the account, as what it says is
  if (!ledger.bindings.isAnnounced(row.lane, sessionID))
    await ledger.commit(() => ledger.bindings.say(row.lane, sessionID), 'written');
  await engine.updateSession({ sessionID, title });
  await retitle(call, title);
  return call.phrases.sessions.renamed({ title: escapeMarkdown(title) });
};

/** `/retry`: removes the last exchange from the session and answers its message again; of a reaction, the exchange that it is about. */
export const retryCommand: CommandHandler = async ({
  engine,
  ledger,
  row,
  newId,
  clock,
  wakeLane,
  phrases,
  role,
  limits,
  assistants,
}) => {
  const { lane, person } = row;
  if (ledger.turns.unanswered().some((turn) => turn.lane === lane) || ledger.inbox.waiting(lane).length > 0)
    throw refusal(({ commands }, command) => commands.stillAnswering({ command }));
  const { about } = row.event;
  const last =
    about === undefined
      ? ledger.inbox.lastTurn(lane, person)
      : { turnID: about, rows: ledger.inbox.ofTurn(about) };
  if (last === undefined) throw refusal(({ sessions }) => sessions.nothingToRetry);
  const { turnID } = last;
  const rows = last.rows.filter(({ deletedAt }) => deletedAt === undefined);
  if (rows.length === 0) throw refusal(({ sessions }) => sessions.retryDeleted);
  const nativeOf = (one: InboxRow): string => `${one.event.nativeID}~${row.id}`;
  const [first] = rows;
  if (first !== undefined && ledger.inbox.find(first.address, nativeOf(first)) === undefined) {
    const limit = limitUsedUp(first.event, {
      ...{ ledger, limits: limits(), person, role, now: clock.now() },
      lane: () => lane,
      nameIn: assistants.nameIn,
    });
    if (limit !== undefined) throw refusal((texts) => usedUpMessage(limit, texts));
    let isSetAside = false;
    const { sessionID, runID } = ledger.turns.get(turnID) ?? {};
    if (sessionID !== undefined && sessionID === ledger.bindings.sessionOf(lane)) {
      const taken = exchangeOf(runID, await engine.messages(sessionID));
      if (taken !== undefined) await setAside(engine, sessionID, taken);
      isSetAside = taken !== undefined;
    }
    await ledger.commit(() => {
      for (const one of rows) {
        // the model has neither its words nor its answer any more
        if (isSetAside) ledger.corrections.drop(one.id);
        const event = {
          ...one.event,
          nativeID: nativeOf(one),
          retryOf: one.event.retryOf ?? one.event.nativeID,
        };
        const at = clock.now();
        ledger.inbox.insert({
          id: newId('inb'),
          lane,
          person,
          kind: 'message',
          event: { ...event, at, delayMs: 0 },
          receivedAt: at,
        });
      }
    });
  }
  wakeLane(lane);
  return { words: phrases.sessions.retrying, showsItself: true, decides: rerunProposal(turnID) };
};

/** Sets a message and all after it aside; one that is set aside already, by a call whose answer was lost, is done. */
async function setAside(engine: CommandDeps['engine'], sessionID: string, messageID: string): Promise<void> {
  try {
    await engine.revertSession({ sessionID, messageID });
  } catch (error) {
    if (codeOf(error) !== 'message_not_found') throw error;
  }
}

/** The message that this run answered, if nothing was said after it: only the newest exchange can be taken back. */
function exchangeOf(runID: string | undefined, messages: readonly WireSessionMessage[]): string | undefined {
  const at = messages.findIndex(({ info }) => info.runID === runID);
  const question = messages.slice(0, at + 1).findLast(({ info }) => info.role === 'user');
  if (runID === undefined || question === undefined) return undefined;
  return messages.findLast(({ info }) => info.role === 'user') === question ? question.info.id : undefined;
}

/** The chat's own conversations, newest first; in private also those of the person's other accounts. */
function ownSessions(ledger: CommandDeps['ledger'], { lane, address, person }: InboxRow): BoundSession[] {
  const { key } = ledger.persons.standingOf(person);
  const persons = key === undefined ? [person] : ledger.persons.idsOf(key);
  const all = ledger.bindings.sessionsOf(lane, address.kind === 'dm' ? persons : []);
  // what was said to one assistant is not shown as a conversation with another
  return all.filter((one) => assistantIn(one.lane) === assistantIn(lane));
}

/** Shows the title on the topic as well, where the command was written in one. */
async function retitle({ channel, row, log }: CommandCall, title: string): Promise<void> {
  if (row.event.topic !== true) return;
  await channel.retitle?.(row.address, title).catch((error: unknown) => {
    log.debug({ words: channel.explain(error).words }, 'the title of a topic could not be shown');
  });
}

function titleIn(args: string): string | undefined {
  const title = args.replace(/\p{Cc}+/gu, ' ').trim();
  return title === '' ? undefined : truncate(title, titleChars);
}

/** What the old conversation asks would take the first words of the new one for its answer. */
export async function endAsked(call: CommandCall): Promise<void> {
  const { ledger, row } = call;
  const old = ledger.bindings.sessionOf(row.lane);
  if (old !== undefined && ledger.postedRequests.openFor(row.lane, row.person) !== undefined)
    await cancelRun(old, call);
}

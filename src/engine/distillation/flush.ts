// The memory flush: before a conversation is shortened, a silent model call may save what should last to the note of the chat.
import type { ModelMessage, ToolResultPart } from 'ai';
import { codeOf, errorMessage } from '#base/errors.ts';
import { formatZodError } from '#base/json.ts';
import { withTimeout } from '#base/waiting/async.ts';
import type { Agents } from '#engine/context/agents.ts';
import { distillPrompt } from '#engine/context/distillation.ts';
import { flushNote, flushNoteDescription, flushSystem } from '#engine/context/flush-prompt.ts';
import { wordsOfMessage } from '#engine/context/speech.ts';
import { type CallContext, callModel } from '#engine/providers/call-model.ts';
import type { Provider } from '#engine/providers/provider.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import type { StoredMessage } from '#engine/sessions/wire-shapes.ts';
import { strictSchemaOf } from '#engine/tools/definition/json-schema.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { FileAuthor } from '#memory/types/files.ts';
import { type Group, groupsOfMessages, type SpokenLine } from './distill-groups.ts';
import type { FlushRows } from './flush-rows.ts';

export interface FlushSettings {
  /** The model that is asked; that of the session when absent. */
  modelID?: string | undefined;
  /** The share of the history's limits from which a session is flushed, 0 to 1. */
  threshold: number;
  /** How long a flush may take, in milliseconds. */
  timeoutMs: number;
}

export interface Flush {
  /** Whether a prompt that fills this share of the history's limits is a reason to flush its session, which was not flushed since its newest summary. */
  isDue(sessionID: string, fullness: number): boolean;
  /**
   * Flushes what these messages hold, unless the session was flushed since its newest summary. Never throws: a failure is logged, and the
   * conversation continues without the notes. Once one of the messages is edited or deleted it writes nothing more; with the messages as
   * they are then, it is asked again.
   */
  flush(sessionID: string, messages: readonly StoredMessage[], signal: AbortSignal): Promise<void>;
}

interface FlushOptions {
  tables: RunTables;
  rows: FlushRows;
  memory: Pick<Memory, 'noteFile' | 'list'>;
  agents: Pick<Agents, 'named'>;
  /** Runs `work` while the words of none of these runs are given another form. */
  whileUnchanged<T>(runIDs: readonly string[], work: () => Promise<T>): Promise<T>;
  /** The model that answers in a session, or the one that is named. */
  providerOf(sessionID: string, modelID: string | undefined): Provider;
  calls: CallContext;
  /** Off when absent. */
  settings: FlushSettings | undefined;
}

/** How often the model may call its tool one after the other. */
const maxTurns = 8;
/** Notes of one flush; further calls fail with a message. */
const maxNotes = 10;
/** Memories of a session among which exchanges are looked for. */
const maxEntries = 1_000;

/** Flushes over the tables; the caller lets one at a time work on a session. */
export function createFlush(options: FlushOptions): Flush {
  const { tables, rows, agents, calls, settings } = options;

  /** Only chats have notes, and only where the agent may remember. */
  const mayWrite = (sessionID: string): boolean => {
    const run = tables.runs.newest(sessionID);
    const session = tables.conversation.sessions.lasting(sessionID);
    if (run?.origin === undefined || session?.sourceKind !== 'channel') return false;
    return mayRemember(agents, run);
  };

  /** The last message of the newest summary, after which the session was not flushed yet; undefined where it was, or has no notes. */
  const owedAfter = (sessionID: string): string | undefined => {
    if (!mayWrite(sessionID)) return undefined;
    const after = tables.conversation.summaries.newest(sessionID)?.lastMessageID ?? '';
    return rows.isDone(sessionID, after) ? undefined : after;
  };

  return {
    isDue(sessionID, fullness) {
      if (settings === undefined || fullness < settings.threshold) return false;
      if (owedAfter(sessionID) === undefined) return false;
      // the offline model writes no notes: its sessions are not read for nothing
      return (
        settings.modelID !== undefined || options.providerOf(sessionID, undefined).providerID !== 'offline'
      );
    },
    async flush(sessionID, messages, signal) {
      const after = owedAfter(sessionID);
      if (settings === undefined || after === undefined) return;
      const { clock, log } = calls;
      try {
        const provider = options.providerOf(sessionID, settings.modelID);
        if (provider.providerID === 'offline') return;
        const limit = { clock, ms: settings.timeoutMs, what: 'The memory flush', signal };
        const notes = await withTimeout(limit, (own) =>
          notesOf(options, { sessionID, messages, provider, signal: own }),
        );
        log.info({ sessionID, notes }, 'a conversation was flushed to memory');
      } catch (error) {
        if (signal.aborted) return; // the engine closes: the next start may flush it
        log.warn({ sessionID, error: errorMessage(error) }, 'a conversation could not be flushed to memory');
      }
      if (!areChanged(tables, messages)) tables.events.commit(() => rows.done(sessionID, after));
    },
  };
}

/** Whether what was written to the agent of this run may be stored in memory. */
function mayRemember(agents: FlushOptions['agents'], { agent }: { agent?: string | undefined }): boolean {
  return (agents.named(agent).memory ?? 'full') === 'full';
}

/** Whether one of these messages was edited or deleted since it was read. */
export function areChanged({ conversation }: RunTables, messages: readonly StoredMessage[]): boolean {
  const now = conversation.parts.ofMessages(messages.map(({ id }) => id));
  return messages.some(
    (message) => wordsOfMessage({ ...message, parts: now.get(message.id) ?? [] }) !== wordsOfMessage(message),
  );
}

interface Material {
  sessionID: string;
  messages: readonly StoredMessage[];
  provider: Provider;
  signal: AbortSignal;
}

/** One conversation with the model for each audience; resolves with how many lines were written. */
async function notesOf(options: FlushOptions, material: Material): Promise<number> {
  const { agents, tables } = options;
  const whole = material.messages.filter(({ error, runID }) => {
    const run = runID === undefined ? undefined : tables.runs.get(runID);
    return error === undefined && (run === undefined || mayRemember(agents, run));
  });
  const groups = groupsOfMessages(options, { session_id: material.sessionID }, whole);
  let notes = 0;
  // a file is read by all agents that share their memory
  const shared = groups.filter(({ place }) => place.where.partition === undefined);
  for (const group of shared) {
    const lines = await withoutForgotten(options, whole, group);
    if (areChanged(tables, whole) || !lines.some(({ role }) => role === 'user')) continue;
    notes += await notesOfGroup(options, { ...material, messages: whole }, { ...group, lines });
  }
  return notes;
}

/** The lines of exchanges that memory has, or was never given: one that was forgotten must not come back in a note. */
async function withoutForgotten(
  { memory, tables }: FlushOptions,
  messages: readonly StoredMessage[],
  { place, lines }: Group,
): Promise<SpokenLine[]> {
  const scope = { audiences: [place.where.audience], spaces: [], everyone: false };
  const session = messages[0]?.sessionID;
  const entries = await memory.list({ scope, session, limit: maxEntries });
  const remembered = new Set(entries.flatMap(({ messageIDs }) => messageIDs));
  const runOf = new Map(messages.map(({ id, runID = '' }) => [id, tables.runs.get(runID)]));
  return lines.filter(({ messageID = '' }) => {
    const run = runOf.get(messageID);
    return run?.archived !== 'stored' || remembered.has(run.userMessageID);
  });
}

async function notesOfGroup(options: FlushOptions, material: Material, group: Group): Promise<number> {
  const { calls, tables } = options;
  const { provider, signal, sessionID } = material;
  const messages: ModelMessage[] = [{ role: 'user', content: distillPrompt(group.lines) }];
  const tool = {
    name: 'memory_note',
    description: flushNoteDescription,
    schema: strictSchemaOf(flushNote),
    read: (args: unknown) => args,
  };
  let written = 0;
  for (let turn = 1; turn <= maxTurns; turn += 1) {
    const called: { callID: string; args: unknown }[] = [];
    const call = { provider, system: flushSystem, messages, tools: [tool], remembers: false, signal };
    for await (const piece of callModel({ ...call, toolChoice: 'auto' }, calls)) {
      if (piece.type === 'tool call') called.push(piece);
      if (piece.type !== 'end') continue;
      messages.push(...piece.messages);
      const run = tables.runs.newest(sessionID);
      const { usage } = piece;
      if (usage !== undefined && run !== undefined)
        tables.events.commit(() => tables.usage.add(run.runID, usage));
    }
    if (called.length === 0 || areChanged(tables, material.messages)) break;
    const results: ToolResultPart[] = [];
    for (const { callID, args } of called) {
      const outcome =
        written < maxNotes
          ? await noted(options, material, group, args)
          : { error: `At most ${maxNotes} lines.` };
      if ('path' in outcome) written += 1;
      results.push({
        type: 'tool-result',
        toolCallId: callID,
        toolName: tool.name,
        output:
          'path' in outcome ? { type: 'json', value: outcome } : { type: 'error-text', value: outcome.error },
      });
    }
    messages.push({ role: 'tool', content: results });
  }
  return written;
}

/** Writes one line into today's note of the group's audience, as of the run in which a person said it. */
async function noted(
  options: FlushOptions,
  { messages, sessionID }: Material,
  group: Group,
  args: unknown,
): Promise<{ path: string; line: number } | { error: string }> {
  const { memory, calls, tables, whileUnchanged } = options;
  const { place, lines } = group;
  const note = flushNote.safeParse(args);
  if (!note.success) return { error: `The arguments do not fit: ${formatZodError(note.error).join('; ')}` };
  const { text, line: number, also = [] } = note.data;
  const authorOf = (line: SpokenLine): FileAuthor | undefined => {
    const runID = messages.find(({ id }) => id === line.messageID)?.runID;
    return runID === undefined ? undefined : { person: line.person ?? place.person, sessionID, runID };
  };
  const cited = lines[number];
  const by = cited?.role === 'user' ? authorOf(cited) : undefined;
  if (by === undefined) return { error: `Expected the number of a line of a person, got ${number}.` };
  // a source that is named twice is stored once
  const alsoBy = sourcesOf(text, { lines, cited: [number, ...also] }).flatMap((line) => authorOf(line) ?? []);
  try {
    const runIDs = new Set(messages.flatMap((message) => message.runID ?? []));
    // an edit that comes while the file is written finds the line there
    return await whileUnchanged([...runIDs], async () => {
      const left = await withoutForgotten(options, messages, group);
      if (left.length < lines.length || areChanged(tables, messages))
        return { error: 'The conversation was changed.' };
      const { audience } = place.where;
      const { path, line } = await memory.noteFile({ audience, text: calls.secrets.mask(text), by, alsoBy });
      return { path, line };
    });
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return { error: errorMessage(error) };
  }
}

/**
 * The lines that a note or a fact is made of: those that the model cites, and, as it may put the words of one line into the note of another one,
 * every line with a word that the note has and no cited line.
 */
export function sourcesOf(
  text: string,
  { lines, cited }: { lines: readonly SpokenLine[]; cited: readonly number[] },
): SpokenLine[] {
  const words = new Set(wordsOf(text));
  const named = lines.filter((_, at) => cited.includes(at));
  for (const line of named) for (const word of wordsOf(line.text)) words.delete(word);
  const others = lines.filter(
    (line) => !named.includes(line) && wordsOf(line.text).some((word) => words.has(word)),
  );
  return [...named, ...others];
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Words that can say where a text is from: not those of one to three Latin letters. */
function wordsOf(text: string): string[] {
  return [...segmenter.segment(text.toLowerCase())]
    .filter(({ segment, isWordLike }) => isWordLike === true && !/^[a-z]{1,3}$/.test(segment))
    .map(({ segment }) => segment);
}

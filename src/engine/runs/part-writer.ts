// The parts of one answer as they come into being: deltas live, ended parts and tool states committed with their events.
import { ParleyError } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import { truncate } from '#base/text.ts';
import type { EventDraft } from '#engine/events/event-store.ts';
import type { Part, ToolPart } from '#engine/sessions/part-rows.ts';
import type { WireMessagePart } from '#engine/wire/events/event.ts';
import type { Artifact } from '#engine/wire/runs/artifact.ts';
import type { StoredRun } from './tables/run-row.ts';
import type { RunTables } from './tables/run-tables.ts';

export interface PartWriter {
  /** Adds to the open part of that type, or opens one. Past the limit it adds what fits and throws `OUTPUT_TOO_LONG`. */
  add(type: 'text' | 'reasoning', delta: string): void;
  /** The open text was what the model thought. */
  rethink(): void;
  /** A tool call was asked for; its part is pending. */
  open(tool: string, args: unknown): ToolPart;
  /** Moves a tool part on. */
  move(part: ToolPart): void;
  /** A file that a tool wrote, as a part of its own. */
  file(artifact: Artifact): void;
  /** Ends the open text or reasoning part: its whole value is committed. */
  close(): void;
  /** Ends everything that is open; calls that did not end have failed. Not for a run that may be resumed: its calls stay as they are. */
  abandon(): void;
  /** What was written so far, without reasoning. */
  text(): string;
  /** The part that is being written, as one live piece from its beginning; undefined when none is. */
  unfinished(): EventDraft | undefined;
}

/** Characters of a call's arguments that an event reports; longer ones are whole only in the message's part. */
const maxArgs = 20_000;
const startOfArgs = 2_000;

/** The arguments as events report them: each state of a call is one, and each is stored with its run and in the run's files. */
function shortly(args: unknown): unknown {
  const json = JSON.stringify(args ?? null);
  if (json.length <= maxArgs) return args;
  return { cut: `${json.length} characters, the first are shown`, start: truncate(json, startOfArgs) };
}

function propertiesOf(
  { runID, sessionID, assistantMessageID: messageID }: StoredRun,
  part: Omit<WireMessagePart, 'sessionID' | 'messageID'>,
) {
  return { sessionID, runID, part: { ...part, sessionID, messageID } };
}

/** That a part of the run's answer is as it is now. */
export function partEvent(run: StoredRun, part: Part): EventDraft {
  const told = part.type === 'tool' ? { ...part, args: shortly(part.args) } : part;
  // the columns of a part that are empty are no fields of it
  return { type: 'message.part.updated', properties: propertiesOf(run, defined(told)) };
}

/** Whether the call has no result yet. */
export function isOpenCall({ state }: ToolPart): boolean {
  return state === 'pending' || state === 'running';
}

/**
 * A writer for the answer of `run`; `limit` bounds its text and its reasoning together, in characters. What `resumed` holds is written
 * already: it is the beginning of the answer.
 */
export function createPartWriter(
  tables: RunTables,
  run: StoredRun,
  { limit, resumed = [] }: { limit: number; resumed?: readonly Part[] | undefined },
): PartWriter {
  const { conversation, events, newId } = tables;
  const { assistantMessageID: messageID } = run;
  const texts = resumed.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const calls = new Map(
    resumed.flatMap((part) => (part.type === 'tool' && isOpenCall(part) ? [[part.id, part] as const] : [])),
  );
  let current: { id: string; type: 'text' | 'reasoning'; text: string } | undefined;
  let size = resumed.reduce((sum, part) => sum + ('text' in part ? part.text.length : 0), 0);

  const properties = (part: Omit<WireMessagePart, 'sessionID' | 'messageID'>) => propertiesOf(run, part);
  const write = (part: ToolPart, how: 'insert' | 'update'): void => {
    events.commit((record) => {
      conversation.parts[how](messageID, part);
      record(partEvent(run, part));
      events.afterCommit(() => {
        if (isOpenCall(part)) calls.set(part.id, part);
        else calls.delete(part.id);
      });
    });
  };
  const close = (): void => {
    const part = current;
    if (part === undefined) return;
    events.commit((record) => {
      conversation.parts.insert(messageID, part);
      record({ type: 'message.part.updated', properties: properties(part) });
      // What is rolled back is still open, so that the commit can be made again.
      events.afterCommit(() => {
        current = undefined;
        if (part.type === 'text') texts.push(part.text);
      });
    });
  };

  const append = (type: 'text' | 'reasoning', delta: string): void => {
    size += delta.length;
    if (current?.type !== type) close();
    current ??= { id: newId('prt'), type, text: '' };
    const { id, text } = current;
    current.text += delta;
    // Without the text so far: sending it again with every piece would make long answers cost their square.
    events.live({
      type: 'message.part.updated',
      properties: { ...properties({ id, type }), delta, offset: text.length },
    });
  };

  return {
    add(type, piece) {
      // how an answer is cut into pieces is the provider's choice: what fits of the last one is sent as well
      const delta = truncate(piece, limit - size, '');
      if (delta !== '') append(type, delta);
      if (delta.length < piece.length)
        throw new ParleyError('OUTPUT_TOO_LONG', `The answer grew beyond ${limit} characters.`);
    },
    rethink() {
      if (current?.type !== 'text') return;
      current.type = 'reasoning';
      const { id, text } = current;
      // from its beginning: a chat that has shown it takes it back
      events.live({
        type: 'message.part.updated',
        properties: { ...properties({ id, type: 'reasoning' }), delta: text, offset: 0 },
      });
    },
    open(tool, args) {
      close();
      const part: ToolPart = { id: newId('prt'), type: 'tool', tool, args, state: 'pending' };
      write(part, 'insert');
      return part;
    },
    move: (part) => write(part, 'update'),
    file(artifact) {
      close();
      const { mediaType: mime, name: filename } = artifact;
      const part = {
        id: newId('prt'),
        type: 'file' as const,
        mime,
        filename,
        url: `artifact:${artifact.id}`,
      };
      events.commit((record) => {
        conversation.parts.insert(messageID, part);
        record({ type: 'message.part.updated', properties: properties({ ...part, artifact }) });
      });
    },
    close,
    abandon() {
      close();
      for (const { id, type, tool, args } of [...calls.values()]) {
        write(
          { id, type, tool, args, state: 'failed', error: 'The run ended before the call did.' },
          'update',
        );
      }
    },
    text() {
      const open = current?.type === 'text' ? [current.text] : [];
      return [...texts, ...open].filter((text) => text.trim() !== '').join('\n\n');
    },
    unfinished() {
      if (current === undefined) return undefined;
      const { id, type, text } = current;
      return {
        type: 'message.part.updated',
        properties: { ...properties({ id, type }), delta: text, offset: 0 },
      };
    },
  };
}

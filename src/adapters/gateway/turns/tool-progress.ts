// What the tools of a run are doing, as a chat is shown it while they run: a line for each that takes long enough to be noticed.

import type { ToolProgressDetail } from '#adapters/gateway/admission/channel-rules.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { codeSpan, escapeMarkdown } from '#adapters/gateway/terms/command-reply.ts';
import type { Clock } from '#base/clock.ts';
import { truncate } from '#base/text.ts';
import type { WireMessagePart } from '#engine/wire/events/event.ts';

/** A tool that ends sooner is not shown, in milliseconds: a line that comes and goes at once says nothing, and costs an edit. */
const shownAfterMs = 1_000;
/** More tools than this at a time are only counted. */
const maxLines = 4;
const nameChars = 80;
const detailChars = 200;

/** Agents have a progress of their own, a question is shown itself, and to-dos take no time. */
const unshown = new Set([
  ...['spawn_agent', 'wait_agents', 'agent_result', 'cancel_agent', 'skill_file'],
  ...['question', 'todo_write', 'todo_read'],
]);

interface ToolProgress {
  /** Takes the state of a call as an event tells it. */
  note(runID: string, part: WireMessagePart): void;
  /** What runs now in this run, as Markdown; empty when nothing does that is to be shown. */
  text(runID: string): string;
}

interface ToolProgressOptions {
  clock: Clock;
  phrases: Phrases;
  detail: ToolProgressDetail;
  /** Ends what is waited for. */
  signal: AbortSignal;
  /** The text of this run is another now. */
  changed(runID: string): void;
}

/** Follows the tools of the runs whose parts it is told. */
export function createToolProgress({
  clock,
  phrases,
  detail,
  signal,
  changed,
}: ToolProgressOptions): ToolProgress {
  const calls = new Map<string, { runID: string; line: string; isShown: boolean; ended: AbortController }>();
  const begin = (runID: string, part: WireMessagePart): void => {
    const ended = new AbortController();
    const call = { runID, line: lineOf(part, phrases, detail), isShown: false, ended };
    calls.set(part.id, call);
    clock.sleep(shownAfterMs, AbortSignal.any([signal, ended.signal])).then(
      () => {
        call.isShown = true;
        changed(runID);
      },
      () => {
        // it ended before that, or the turn did
      },
    );
  };
  return {
    note(runID, part) {
      if (detail === 'off' || unshown.has(part.tool ?? '')) return;
      const call = calls.get(part.id);
      if (part.state === 'running') {
        if (call === undefined) begin(runID, part);
      } else if (call !== undefined) {
        calls.delete(part.id);
        call.ended.abort();
        if (call.isShown) changed(runID);
      }
    },
    text(runID) {
      const lines = [...calls.values()]
        .filter((call) => call.isShown && call.runID === runID)
        .map(({ line }) => line);
      const more = lines.length > maxLines ? [phrases.toolProgress.more({ n: lines.length - maxLines })] : [];
      return [...lines.slice(0, maxLines), ...more].join('\n');
    },
  };
}

/** The line of one call. */
function lineOf(
  { tool = '', args }: WireMessagePart,
  { toolProgress: say }: Phrases,
  detail: ToolProgressDetail,
): string {
  const given = Object(args) as Record<string, unknown>; // as the model wrote them
  const text = (...names: string[]): string => {
    const value = names
      .map((name) => given[name])
      .find((each) => typeof each === 'string' && each.trim() !== '');
    return typeof value === 'string' ? value.trim() : '';
  };
  const url = text('url', 'uri', 'link', 'address');
  const path = text('path', 'file', 'filename', 'file_path', 'name');
  const short = hostOf(url) ?? path.split(/[\\/]/).at(-1) ?? '';
  const subject = escapeMarkdown(truncate(detail === 'full' ? url || path : short, nameChars));
  const work = workOf(tool, subject, say);
  const words = detail === 'full' ? text('query', 'question', 'prompt', 'text') : '';
  return words === ''
    ? say.line({ work })
    : say.lineAbout({ work, detail: escapeMarkdown(truncate(words, detailChars)) });
}

function workOf(tool: string, subject: string, say: Phrases['toolProgress']): string {
  switch (tool) {
    case 'memory_search':
    case 'memory_preflight':
      return say.searchingMemory;
    case 'web_search':
      return say.searchingWeb;
    case 'memory_get':
      return subject === '' ? say.readingMemory : say.reading({ name: subject });
    case 'memory_read':
    case 'memory_lookup':
    case 'memory_list':
    case 'memory_report':
    case 'list_journal_entries':
      return say.readingMemory;
    case 'memory_store':
    case 'memory_create':
    case 'memory_update':
    case 'memory_note':
    case 'memory_edit':
    case 'memory_delete':
    case 'add_session_element':
    case 'record_lesson':
    case 'settle_journal_entry':
      return say.writingMemory;
    case 'artifact':
      return say.writing({ name: subject });
    case 'speak':
      return say.speaking;
    case 'image':
      return say.drawing;
    case 'schedule':
      return say.scheduling;
    default:
      return say.running({ tool: codeSpan(tool), subject });
  }
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}

// `/handoff`: ends the session of a chat. The assistant proposes what is handed over, the person adds to it and confirms; one transaction stores it.

import type {
  CommandCall,
  CommandHandler,
  CommandReply,
} from '#adapters/gateway/commands/command-context.ts';
import { chatReader, openIn } from '#adapters/gateway/commands/memory/journal.ts';
import { type HandoffDraft, handoffChoice } from '#adapters/gateway/requests/handoff-drafts.ts';
import { commandNamer } from '#adapters/gateway/terms/command-names.ts';
import { escapeMarkdown, refusal, shortOf } from '#adapters/gateway/terms/command-reply.ts';
import { truncate } from '#base/text.ts';
import type { HandoffElements } from '#engine/wire/memory/handoff.ts';

/** What begins a line that adds to the draft, and to which part of it. */
const parts = { decision: 'decisions', open: 'threads', next: 'steps', context: 'context' } as const;
const maxItems = 20;

/** `/handoff [NOTE]`: proposes a summary and next steps, and ends the session when the person confirms it. */
export const handoffCommand: CommandHandler = async (call) => {
  const { args, handoffs, row } = call;
  const [, word, id] = /^(save|drop)(?:\s+(\S+))?\s*$/i.exec(args) ?? [];
  if (word !== undefined) {
    const draft = id === undefined ? handoffs.ofLane(row.lane) : handoffs.get(id);
    if (draft === undefined) throw refusal(({ journal }, command) => journal.noDraft({ command }));
    if (draft.person !== row.person) throw refusal(({ journal }) => journal.notYours);
    return word.toLowerCase() === 'save' ? save(call, draft) : drop(call, draft);
  }
  const { note, added } = linesOf(args);
  const draft = handoffs.ofLane(row.lane);
  const isOwn = draft?.person === row.person;
  const from = isOwn && added.length > 0 ? draft : await propose(call, note);
  const changed = { ...from, elements: added.reduce(withLine, from.elements) };
  handoffs.put(changed);
  return shown(call, changed);
};

type Line = { part: keyof typeof parts | 'summary' | 'title'; text: string };

/** The lines that add to a draft; the rest is a note for the model. */
function linesOf(args: string): { note: string; added: Line[] } {
  const added: Line[] = [];
  const note: string[] = [];
  for (const line of args.split('\n')) {
    const [, part = '', text = ''] =
      /^\s*(?:[-*]\s*)?(decision|open|next|context|summary|title)\s*:\s*(.+)$/i.exec(line) ?? [];
    if (text === '') note.push(line);
    else added.push({ part: part.toLowerCase() as Line['part'], text: text.trim() }); // one of the words above
  }
  return { note: note.join('\n').trim(), added };
}

function withLine(elements: HandoffElements, { part, text }: Line): HandoffElements {
  if (part === 'summary') return { ...elements, summary: truncate(text, 4_000) };
  if (part === 'title') return { ...elements, title: truncate(text, 300) };
  const section = parts[part];
  const title = truncate(text, 300);
  const body = title === text ? '' : truncate(text, 2_000);
  return { ...elements, [section]: [...elements[section], { title, body }].slice(0, maxItems) };
}

async function propose(call: CommandCall, note: string): Promise<HandoffDraft> {
  const { engine, ledger, row } = call;
  const { threads, steps } = await openIn(call);
  const inherited = [...threads, ...steps].map(({ id, title }) => ({ id, title: String(title) }));
  const sessionID = ledger.bindings.sessionOf(row.lane);
  const input = {
    ...(sessionID !== undefined && { sessionID }),
    note: truncate(note, 4_000),
    open: inherited,
  };
  const { by, elements } = await engine.forReader('proposeHandoff', { reader: chatReader(call), input });
  const summary = by === 'nobody' && note !== '' ? truncate(note, 4_000) : elements.summary;
  return { id: row.id, lane: row.lane, person: row.person, elements: { ...elements, summary }, inherited };
}

function shown({ row, phrases }: CommandCall, { id, elements, inherited }: HandoffDraft): CommandReply {
  const words = phrases.journal;
  const command = commandNamer(row.address, phrases);
  const line = (title: string, body = ''): string =>
    `- ${escapeMarkdown(truncate(body === '' ? title : `${title}: ${body}`, 300))}`;
  const section = (name: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [[`**${name}**`, ...lines].join('\n')];
  const named = (isSettled: boolean): string[] =>
    inherited
      .filter((each) => elements.settled.includes(each.id) === isSettled)
      .map(({ id: of, title }) => `- \`${shortOf(of)}\` ${escapeMarkdown(truncate(title, 160))}`);
  const ofItems = (items: HandoffElements['decisions']): string[] =>
    items.map(({ title, body }) => line(title, body));
  const isEmpty = elements.summary === '';
  return {
    words: [
      isEmpty ? words.empty({ command }) : words.proposed,
      ...(isEmpty ? [] : [escapeMarkdown(elements.summary)]),
      ...section(words.decided, ofItems(elements.decisions)),
      ...section(words.open, ofItems(elements.threads)),
      ...section(words.next, ofItems(elements.steps)),
      ...section(words.context, ofItems(elements.context)),
      ...section(words.settled, named(true)),
      ...section(words.carriedOn, named(false)),
      ...(isEmpty ? [] : [words.addHow({ command })]),
    ].join('\n\n'),
    ...(isEmpty
      ? {}
      : {
          proposes: id,
          choices: [
            { id: handoffChoice(id, 'save'), label: words.save },
            { id: handoffChoice(id, 'drop'), label: words.drop },
          ],
        }),
  };
}

/** One transaction, once for each draft. What was opened since the draft was begun stays open too. */
async function save(call: CommandCall, { id, elements, inherited }: HandoffDraft): Promise<CommandReply> {
  const { engine, agent, phrases, handoffs, clock } = call;
  if (elements.summary === '') throw refusal(({ journal }, command) => journal.needsSummary({ command }));
  const { threads, steps } = await openIn(call);
  const known = new Set(inherited.map((each) => each.id));
  const open = [...threads, ...steps].map((each) => each.id);
  const { settled, title, ...rest } = elements;
  const input = {
    ...{ agentID: agent, key: id, ...rest },
    title: title === '' ? truncate(elements.summary, 80) : title,
    inherited: open.map((each) => ({
      id: each,
      action: known.has(each) && settled.includes(each) ? 'resolved' : 'carried_on',
    })),
  };
  const { lineageID } = await engine.forReader('closeSession', { reader: chatReader(call), input });
  call.log.info({ lineageID, at: clock.now() }, 'a session of a chat was handed over');
  handoffs.remove(id);
  return { words: phrases.journal.saved({ id: shortOf(lineageID) }), decides: id };
}

async function drop({ handoffs, phrases }: CommandCall, { id }: HandoffDraft): Promise<CommandReply> {
  handoffs.remove(id);
  return { words: phrases.journal.dropped, decides: id };
}

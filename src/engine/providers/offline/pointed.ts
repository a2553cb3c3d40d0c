// What the newest message points at (an alert, a picture, a thread), read from the notes around it and quoted. Memory is recalled.ts.
import { truncate } from '#base/text.ts';
import type { ModelCallInput } from '#engine/providers/calls/model-call.ts';

/** What someone wrote, as a note has it. */
interface Passage {
  who: string;
  text: string;
}

const longestQuote = 600;
/** A question that is about something in view: `what is this alert?`, `summarise the thread`. */
const pointing =
  /\b(this|that|these|those|the (thread|topic|conversation|alert|message|picture|photo|image|file|link))\b/i;
const aboutAll = /\b(thread|topic|conversation|channel|room|discussion)\b/i;
const quoted = /^\[(?:in reply to|forwarded) (.+?): (".*")\]$/;
const inThread = /^\[earlier in this thread, (.+?): (".*")\]$/;
const inRoom = /^\[said in this room, [0-9-]+ [0-9:]+ UTC, (.+?): (".*")\]$/;
const shared = /^\[shared (".*")\]$/;
const file = /^\[sent a file (?:that cannot be read here(?:, because [^:]*)?: )?(.+)\]$/;
/** A file whose text stands between its marks. */
const fileText =
  /^(?:\[[^\][\n]{1,80}\] )?\[sent a text file (\S+) .*; all up to the mark ([0-9a-f]{16}) is .*\]\n([\s\S]*?)\n\[\2 /gm;
/** The assistant's own words need no quotation. */
const own = 'your message';

/** What is quoted for a question that points at something; undefined where it points at nothing that is in view. */
export function pointedAt(question: string, messages: ModelCallInput['messages']): string | undefined {
  if (!pointing.test(question)) return undefined;
  const { about, thread, room, files } = inView(messages);
  if (aboutAll.test(question)) {
    if (thread.length > 1) return outline(`This thread has ${thread.length} messages before yours`, thread);
    if (room.length > 1) return outline(`I see the last ${room.length} messages before yours`, room);
  }
  const passages = about.length > 0 ? about : thread.slice(0, 1);
  if (passages.length === 0 && files.length === 0) return undefined;
  const along = files.length === 0 ? '' : ` It came with ${files.join(', ')}.`;
  return [`Your message points at this.${along}`, ...passages.map(quote)].join('\n\n');
}

/** All that is in view, in its order. */
function inView(messages: ModelCallInput['messages']) {
  const view = {
    about: [] as Passage[],
    thread: [] as Passage[],
    room: [] as Passage[],
    files: [] as string[],
  };
  const newest = messages.findLastIndex(({ role }) => role === 'user');
  // notes on the room are a separate message before the newest one
  const texts = messages.slice(Math.max(0, newest - 1), newest + 1).flatMap(textsOf);
  for (const [, name = '', , words = ''] of texts.join('\n').matchAll(fileText))
    view.about.push({ who: name, text: words });
  for (const line of texts.flatMap((text) => text.split('\n'))) {
    const note = line.replace(/^\[[^\][\n]{1,80}\] (?=\[)/, '').trim();
    const passage = (form: RegExp): Passage[] => {
      const [, who = '', text = '""'] = form.exec(note) ?? [];
      return who === '' || who === own ? [] : [{ who: nameOf(who), text: unquoted(text) }];
    };
    view.about.push(...passage(quoted));
    view.thread.push(...passage(inThread));
    view.room.push(...passage(inRoom));
    const [, words] = shared.exec(note) ?? [];
    if (words !== undefined) view.about.push({ who: 'your message', text: unquoted(words) });
    const [, name] = file.exec(note) ?? [];
    if (name !== undefined) view.files.push(name);
  }
  return view;
}

function textsOf({ role, content }: ModelCallInput['messages'][number]): string[] {
  if (role !== 'user') return [];
  return typeof content === 'string'
    ? [content]
    : content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
}

/** `a message of Guest` is Guest. */
const nameOf = (who: string): string => who.replace(/^a message of /, '');

function unquoted(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    return json;
  }
}

/** The number of messages, their authors, the first and the last: this model understands nothing of the others. */
function outline(much: string, passages: readonly Passage[]): string {
  const who = [...new Set(passages.map((passage) => passage.who))].join(', ');
  const [first, last] = [passages.at(0), passages.at(-1)].map((passage) => (passage ? quote(passage) : ''));
  return `${much}, of ${who}. The first and the last:\n\n${first}\n\n${last}`;
}

function quote({ who, text }: Passage): string {
  const lines = truncate(text, longestQuote).split('\n');
  return `${lines.map((line) => `> ${line}`).join('\n')}\n— ${who}`;
}

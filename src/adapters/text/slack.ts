// An answer as Slack messages: a markdown block each, with a plain fallback text. No sending.
import { truncate } from '#base/text.ts';
import { layout } from './layout/layout.ts';
import { type Surface, textOfLeaf } from './layout/leaf.ts';
import { pack } from './layout/pack.ts';
import { type MarkdownStyle, markdownJoin, markdownLeaf } from './markdown.ts';
import { type Dialect, isInert } from './markup.ts';
import { hasInk } from './parse/clean.ts';
import type { MessagePart } from './part.ts';
import { webAddress } from './web-address.ts';

// All markdown blocks of a message hold 12,000 characters together; the rest is a reserve, since the server counts after
// its own escaping.
const maxUnits = 11_900;
// 4000 is what Slack recommends for `text`.
const maxFallback = 3900;

// What Slack itself acts upon between angle brackets, in code as well: mentions of people, channels, groups, everyone.
const control = /<(?=!(?:channel|here|everyone|group|subteam\^|date\^)|@[UWBT][A-Z0-9]|#[CDG][A-Z0-9])/gi;

// `&lt;` is the one spelling that is inert under both readings of a block: Slack decodes it after it looked for mentions,
// and Markdown decodes it as a character reference, so that people read `<!channel>` and nobody is called. A backslash
// would hide the bracket from Markdown only. Inside code Markdown decodes nothing: there only real control sequences are
// touched, and at worst the reference is what is read. A bare `@here` calls nobody in text posted over the API.
const dialect: Dialect = {
  special: /[\\`*_~[\]]|!$|<(?=[^\s<>]|$)|&(?=#?\w*(?:;|$))|\|(?=\|)|:(?=\/\/)|\.(?<=(?:\b|_)www\.)/gi,
  escape(found, before, after) {
    if (found === '<') return '&lt;';
    if (found === '&') return '&amp;';
    if (isInert(found, before, after)) return found;
    return `\\${found}`;
  },
  code: (text) => text.replace(control, '&lt;'),
  strike: '~~',
  underline: '',
  longestTicks: 8,
};

const markdown: MarkdownStyle = {
  dialect,
  fences: { longest: 16, indented: 'indented' },
};

/** What Slack's markdown block can show on every client; tables are drawn, since not all clients render them. */
export const slackSurface: Surface = {
  bullet: () => '- ',
  tableColumns: 100,
  link: (url, label) => (/[[\]]/.test(label) ? undefined : webAddress(url)),
  clean: (text) => text,
};

/** Plain text of which Slack makes no mention and no link: the three characters that it reads as control are escaped. */
export function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Plain text for notifications, escaped, within its limit. */
function fallback(text: string): string {
  let limit = maxFallback;
  let escaped = escapeSlack(truncate(text, limit));
  while (escaped.length > maxFallback) {
    limit = Math.floor((limit * maxFallback) / escaped.length) - 1;
    escaped = escapeSlack(truncate(text, limit));
  }
  return escaped;
}

/**
 * The parts of an answer, each `body` being `{blocks, text}`: one markdown block of 1 to `limits.units` UTF-16 units (11,900
 * unless set lower) and its fallback of at most 3900. Blank Markdown gives none. Pure.
 */
export function renderSlack(source: string, limits?: { units?: number | undefined }): MessagePart[] {
  const limit = {
    units: Math.min(limits?.units ?? maxUnits, maxUnits),
    entities: Number.POSITIVE_INFINITY,
  };
  const parts = pack(layout(source, slackSurface), {
    limit,
    code: 'in lists',
    shape: (leaf, indent) => markdownLeaf(leaf, indent, markdown),
    size: (shape) => ({ units: shape.length, entities: 0 }),
    join: markdownJoin,
  });
  return parts.flatMap((placed) => {
    const text = placed.map(({ leaf, join }) => (join === '' ? '' : '\n') + textOfLeaf(leaf)).join('');
    if (!hasInk(text)) return [];
    const block = { type: 'markdown', text: placed.map(({ shape, join }) => join + shape).join('') };
    return [{ text, body: { blocks: [block], text: fallback(text) } }];
  });
}

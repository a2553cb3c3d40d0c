// An answer as Discord messages: its own Markdown, at most 2000 characters each. No sending.

import { layout } from './layout/layout.ts';
import { type Surface, textOfLeaf } from './layout/leaf.ts';
import { pack } from './layout/pack.ts';
import { type MarkdownStyle, markdownJoin, markdownLeaf } from './markdown.ts';
import { type Dialect, isInert } from './markup.ts';
import { hasInk } from './parse/clean.ts';
import type { MessagePart } from './part.ts';
import { webAddress } from './web-address.ts';

// resources/message.mdx: content holds 2000 characters. UTF-16 units are counted, of which a text has at least as many.
const maxUnits = 2000;

// Discord reads backslashes before every character that is neither a letter, a digit nor white space, and no character references.
// Mentions are escaped so that they are shown as written; that they ping nobody is `allowed_mentions` at the send.
// An angle bracket may begin an address, with any sign and in the next style as well: only before white space it does not.
const dialect: Dialect = {
  special:
    /[\\`*_[\]]|~~+|~$|!$|\|\|+|\|$|<(?=[^\s<>]|$)|&(?=#?\w*(?:;|$))|@(?=everyone|here)|:(?=\/\/)|\.(?<=(?:\b|_)www\.)/gi,
  escape(found, before, after) {
    if (isInert(found, before, after)) return found;
    return found.length === 1 ? `\\${found}` : [...found].map((sign) => `\\${sign}`).join('');
  },
  code: (text) => text,
  strike: '~~',
  underline: '__',
  longestTicks: 2,
};

// Discord closes a block at the first three backticks and knows no longer fence.
const markdown: MarkdownStyle = {
  dialect,
  fences: { longest: 3, indented: 'left' },
};
const markdownWithPages: MarkdownStyle = { ...markdown, dialect: { ...dialect, previews: true } };

/** What Discord can show; a label that looks like an address or holds brackets is not read as a link there. */
export const discordSurface: Surface = {
  bullet: () => '- ',
  tableColumns: 80,
  link(url, label) {
    if (label !== url && /[[\]]|:\/\/|`/.test(label)) return undefined;
    return webAddress(url);
  },
  clean: (text) => text,
};

/**
 * The parts of an answer, each `body` being `{content}` of 1 to `limits.units` UTF-16 units (2000 unless set lower). Blank
 * Markdown gives none. With `linkPreviews` links stand so that Discord shows their pages. Pure; never throws for limits of 1000 and more.
 */
export function renderDiscord(
  source: string,
  limits?: { units?: number | undefined; linkPreviews?: boolean | undefined },
): MessagePart[] {
  const style = limits?.linkPreviews === true ? markdownWithPages : markdown;
  const limit = {
    units: Math.min(limits?.units ?? maxUnits, maxUnits),
    entities: Number.POSITIVE_INFINITY,
  };
  const parts = pack(layout(source, discordSurface), {
    limit,
    code: 'at the edge',
    shape: (leaf, indent) => markdownLeaf(leaf, indent, style),
    size: (shape) => ({ units: shape.length, entities: 0 }),
    join: markdownJoin,
  });
  return parts.flatMap((placed) => {
    const text = placed.map(({ leaf, join }) => (join === '' ? '' : '\n') + textOfLeaf(leaf)).join('');
    if (!hasInk(text)) return [];
    return [{ text, body: { content: placed.map(({ shape, join }) => join + shape).join('') } }];
  });
}

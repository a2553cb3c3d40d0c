// What a reader of Markdown shows of a part that was sent, compared with the text that the part stands for. Not a test.
import assert from 'node:assert/strict';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { MessagePart } from '#adapters/text/part.ts';
import { discordContent, slackMarkdown } from './bodies.ts';
import { inkOf as allInk } from './ink.ts';

/** Without the bars of drawn quotes and tables, which are on every line however long the lines become. */
export const inkOf = (text: string): string => allInk(text).replaceAll('│', '');

/** Fails unless the part, read as Markdown, shows exactly its text. */
export function readsAsItsText(platform: 'discord' | 'slack', part: MessagePart): void {
  if (platform === 'discord') assert.equal(read(discordContent(part)), inkOf(part.text));
  else assert.equal(decoded(read(slackMarkdown(part).markdown)), decoded(inkOf(part.text)));
}

/** In code Slack's own escape is the only one; it decodes it when it shows the text. */
function decoded(text: string): string {
  return text.replaceAll('&lt;', '<');
}

/** What a reader of Markdown shows: an independent parse of what was sent, list markers and drawn quote marks aside. */
function read(markdown: string): string {
  const shown: string[] = [];
  const walk = (node: ReturnType<typeof fromMarkdown>['children'][number], marker = ''): void => {
    shown.push(marker);
    if (node.type === 'list')
      for (const item of node.children)
        walk(item, /^(?:\d+[.)]|-)/.exec(markdown.slice(item.position?.start.offset))?.[0]);
    else if (node.type === 'listItem' || node.type === 'blockquote')
      for (const child of node.children) walk(child);
    else if ('children' in node) for (const child of node.children) walk(child);
    else if ('value' in node) shown.push(node.value);
  };
  const tree = fromMarkdown(markdown, {
    extensions: [gfm({ singleTilde: false })],
    mdastExtensions: [gfmFromMarkdown()],
  });
  for (const node of tree.children) walk(node);
  return inkOf(shown.join(''));
}

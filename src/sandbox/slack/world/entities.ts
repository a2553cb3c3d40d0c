// Slack's text escapes, both ways: what a client sends for what a person typed, and what a person sees. Not Markdown.
import type { ShownBlock, ShownRun } from '#sandbox/contract.ts';
import { bot, pagePeople } from './workspace.ts';
import type { World } from './world.ts';

/** The text a client sends: `&`, `<` and `>` as entities, `@name` of someone in the workspace as a mention. */
export function encodeText(typed: string): string {
  const escaped = typed.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replace(/(^|[^\w@])@(you|guest|parley)\b/g, (_, before: string, name: string) => {
    const id = name === bot.name ? bot.user : name === 'you' ? pagePeople.you.id : pagePeople.guest.id;
    return `${before}<@${id}>`;
  });
}

/** The mention `<@ID>` as a reader sees it: `@name`, or `@ID` for a stranger. */
export function mentionName(world: World, mention: string): string {
  const [id = ''] = mention.slice(2, -1).split('|');
  return `@${world.workspace.account(id)?.name ?? id}`;
}

/** One paragraph of escaped text as a client shows it, with its mentions and links. */
export function textBlocks(world: World, text: string): ShownBlock[] {
  if (text === '') return [];
  const runs = text.split(/(<[^<>\n]*>)/).flatMap((piece): ShownRun[] => {
    if (piece === '') return [];
    if (!piece.startsWith('<')) return [{ text: plain(piece), styles: [] }];
    return [angled(world, piece.slice(1, -1))];
  });
  return [{ kind: 'paragraph', runs }];
}

function angled(world: World, inner: string): ShownRun {
  const [target = '', label] = inner.split('|', 2);
  if (target.startsWith('@')) return { text: mentionName(world, `<${target}>`), styles: ['mention'] };
  if (target.startsWith('!')) return { text: `@${target.slice(1)}`, styles: ['mention'] };
  if (target.startsWith('#')) return { text: `#${label ?? target.slice(1)}`, styles: ['mention'] };
  return { text: plain(label ?? target), styles: [], url: plain(target) };
}

function plain(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

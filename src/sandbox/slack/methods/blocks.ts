// What Slack refuses in a message's text and blocks, in its words. Not rendering.
import { z } from 'zod';
import { isActions } from '#sandbox/slack/world/presses.ts';
import { refuse } from '#sandbox/slack/world/refusal.ts';
import type { Wire } from '#sandbox/slack/world/world.ts';

const maxBlocks = 50;
/** Characters of one markdown block (node-slack-sdk, types/blocks.ts). */
const maxMarkdown = 12_000;
/** Characters of all markdown blocks together (bolt-js#2509). */
const maxTogether = 13_200;
const maxSection = 3000;
/** Longer text of chat.postMessage is cut, as Slack does. */
const maxText = 40_000;
/** Text of chat.update is refused above this, not cut. */
const maxUpdateText = 4000;

const known = new Set([
  'actions',
  'context',
  'divider',
  'file',
  'header',
  'image',
  'input',
  'markdown',
  'rich_text',
  'section',
  'table',
  'video',
]);

const blockList = z.array(z.looseObject({ type: z.string() }));

/** The blocks of a call, checked; undefined when it has none. Refuses with `invalid_blocks` or `msg_blocks_too_long`. */
export function takeBlocks(value: unknown): Wire[] | undefined {
  if (value === undefined || value === '' || value === null) return undefined;
  const parsed = blockList.safeParse(value);
  if (!parsed.success)
    throw refuse('invalid_blocks', ['[ERROR] must be an array of blocks [json-pointer:/blocks]']);
  const blocks = parsed.data;
  if (blocks.length === 0) return undefined;
  if (blocks.length > maxBlocks)
    throw refuse('invalid_blocks', [
      `[ERROR] no more than ${maxBlocks} items allowed [json-pointer:/blocks]`,
    ]);
  let together = 0;
  blocks.forEach((block, index) => {
    if (!known.has(block.type))
      throw refuse('invalid_blocks', [
        `[ERROR] unsupported type: ${block.type} [json-pointer:/blocks/${index}/type]`,
      ]);
    if (block.type === 'markdown') together += markdownLength(block, index);
    if (block.type === 'section') checkSection(block, index);
    if (block.type === 'actions' && !isActions(block))
      throw refuse('invalid_blocks', [`[ERROR] invalid elements [json-pointer:/blocks/${index}/elements]`]);
  });
  if (together > maxTogether) throw refuse('msg_blocks_too_long');
  return blocks as Wire[]; // parsed from JSON, so every value in it is JSON
}

function markdownLength(block: Record<string, unknown>, index: number): number {
  const at = `[json-pointer:/blocks/${index}/text]`;
  if (typeof block.text !== 'string' || block.text === '')
    throw refuse('invalid_blocks', [`[ERROR] must be more than 0 characters ${at}`]);
  if (block.text.length > maxMarkdown)
    throw refuse('invalid_blocks', [`[ERROR] must be less than ${maxMarkdown + 1} characters ${at}`]);
  return block.text.length;
}

function checkSection(block: Record<string, unknown>, index: number): void {
  const text = z.looseObject({ text: z.string() }).safeParse(block.text);
  if (text.success && text.data.text.length > maxSection)
    throw refuse('invalid_blocks', [
      `[ERROR] must be less than ${maxSection + 1} characters [json-pointer:/blocks/${index}/text/text]`,
    ]);
}

/** The text of a new message, cut as Slack cuts it; `no_text` when there is nothing at all to show. */
export function takeText(text: string | undefined, blocks: Wire[] | undefined): string {
  if ((text ?? '') === '' && blocks === undefined) throw refuse('no_text');
  return (text ?? '').slice(0, maxText);
}

/** The text of an edit: too much of it is refused with `msg_too_long`. */
export function takeUpdateText(text: string | undefined, blocks: Wire[] | undefined): string {
  if ((text ?? '').length > maxUpdateText) throw refuse('msg_too_long');
  return takeText(text, blocks);
}

// What an answer shows on a surface before it is split: the yardstick for "nothing was lost". Not for sending.

import { layout } from '#adapters/text/layout/layout.ts';
import { type Surface, textOfLeaf } from '#adapters/text/layout/leaf.ts';
import { inkOf } from './ink.ts';

/** The text a person should be able to read on this surface, without markup, over all parts together. */
export function visibleText(markdown: string, surface: Surface): string {
  return layout(markdown, surface).map(textOfLeaf).join('\n');
}

/** True when both texts show the same characters in the same order; white space and invisible characters aside. */
export function showsTheSame(a: string, b: string): boolean {
  return inkOf(a) === inkOf(b);
}

// What an agent is given of another one's result: a bounded summary, and more of it on request. Pure.
import { truncate } from '#base/text.ts';
import { nameOf } from '#engine/teams/budget.ts';
import { type Instance, isOpen } from '#engine/teams/instance-rows.ts';

/** Characters of a result in a summary, and in one page of it. */
const resultSummaryChars = 4_000;
const pageChars = 12_000;

/** How an instance stands, for the model of its parent. */
export function summaryOf(instance: Instance, text: string): Record<string, unknown> {
  const { id, templateID, displayName, status, exhausted, error } = instance;
  const who = { agent: id, template: templateID, name: displayName, status };
  if (isOpen(instance)) return who;
  const isLong = text.length > resultSummaryChars;
  return {
    ...who,
    ...(exhausted === undefined
      ? {}
      : { partial: `Its budget of ${nameOf(exhausted)} was used up; ${hadOf(text)}.` }),
    ...(error === undefined ? {} : { error }),
    ...(text === '' ? {} : { result: truncate(text, resultSummaryChars) }),
    ...(isLong
      ? { characters: text.length, more: `agent_result with agent ${id} and from ${resultSummaryChars}` }
      : {}),
  };
}

function hadOf(text: string): string {
  return text.trim() === '' ? 'it had nothing to give yet' : 'this is what it had';
}

/** A page of a result. */
export function resultPage(text: string, from: number): Record<string, unknown> {
  const page = text.slice(from, from + pageChars);
  const next = from + page.length;
  return { from, text: page, characters: text.length, ...(next < text.length ? { next } : {}) };
}

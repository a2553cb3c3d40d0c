// The actions of `parley memory` about knowledge: asked before work, listed, promoted, taken back.
import { advice } from '#app/screen/screen.ts';
import { counted } from '#base/text.ts';
import type { KnowledgeItem } from '#memory/types/knowledge.ts';
import { entryLines, type MemoryAction, namedScope, required } from './call.ts';

const by = { name: 'operator' };

/** Prints what is already known for the named work. */
export const preflightAction: MemoryAction = async (call) => {
  const { memory, operand, values, print } = call;
  const found = await memory.preflight({
    scope: await namedScope(call),
    subject: required(operand, 'what the work is about'),
    taskFamily: values.family,
    namespace: values.namespace,
    projectID: values.project,
    trustFloor: values.approved ? 'approved_default' : undefined,
  });
  if (values.json) print(JSON.stringify(found));
  else {
    print(`${found.decision}: ${found.reason}.`);
    for (const item of [...found.items, ...found.related]) for (const line of itemLines(item)) print(line);
  }
  return 0;
};

/** Prints all knowledge, newest promotion first. */
export const knowledgeAction: MemoryAction = async (call) => {
  const { memory, values, print } = call;
  const items = await memory.knowledge({
    scope: await namedScope(call),
    projectID: values.project,
    limit: values.limit,
  });
  if (values.json) print(JSON.stringify({ items }));
  else {
    for (const item of items) for (const line of itemLines(item)) print(line);
    if (items.length === 0)
      for (const line of advice('There is none; "parley memory promote ID --to knowledge" makes it.'))
        print(line);
  }
  return 0;
};

/** Makes a record knowledge: `parley memory promote ID --to knowledge --subject TEXT --reason TEXT`. */
export const promoteToKnowledgeAction: MemoryAction = async (call) => {
  const { memory, operand, values, print } = call;
  const promotion = await memory.promoteKnowledge({
    id: required(operand, 'the id of a record'),
    scope: await namedScope(call),
    by,
    subject: required(values.subject, '--subject TEXT: what it is about'),
    taskFamily: values.family,
    namespace: values.namespace,
    projectID: values.project,
    trust: values.approved ? 'approved_default' : 'promoted',
    freshUntil: values.expires,
    reason: required(values.reason, '--reason TEXT: why it can be relied on'),
  });
  const { item, scrub } = promotion;
  if (values.json) print(JSON.stringify(promotion));
  else {
    print(`${item.record.id} is knowledge now; ${scrub.status}, ${scrub.redactions} masked.`);
    for (const line of itemLines(item)) print(line);
  }
  return 0;
};

/** Withdraws knowledge, by its id or its record's. */
export const withdrawAction: MemoryAction = async (call) => {
  const id = required(call.operand, 'the id of knowledge, or of its record');
  const { items } = await call.memory.withdrawKnowledge({ id, scope: await namedScope(call), by });
  const words = `${counted(items, 'item')} ${items === 1 ? 'is' : 'are'} no longer reused; the record stays.`;
  call.print(call.values.json ? JSON.stringify({ items }) : words);
  return 0;
};

function itemLines(item: KnowledgeItem): string[] {
  const { id, promotedAt: at, trust, subject, record } = item;
  return entryLines({ id, at, platform: trust, speaker: subject, text: record.text });
}

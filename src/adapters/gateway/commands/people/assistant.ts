// `/assistant`: which assistant answers in a chat, and another one in its place.

import type { Assistant } from '#adapters/gateway/admission/assistants.ts';
import { choiceLaneOf } from '#adapters/gateway/commands/choice-lane.ts';
import type { CommandCall, CommandHandler } from '#adapters/gateway/commands/command-context.ts';
import { endAsked } from '#adapters/gateway/commands/sessions/sessions.ts';
import { codeSpan, escapeMarkdown, paginate, refusal } from '#adapters/gateway/terms/command-reply.ts';
import { isAtLeast } from '#adapters/gateway/terms/role.ts';

/** `/assistant [NAME | default]`: shows the assistant that answers here, or has another one answer, in a conversation of its own. */
export const assistantCommand: CommandHandler = async (call) => {
  const { assistants, args, phrases, command } = call;
  const { about } = phrases;
  if (args === '' || /^\d+$/.test(args)) {
    const agent = escapeMarkdown(answering(call));
    const others = assistants.all().filter((one) => refusalOf(call, one) === undefined);
    if (others.length < 2) return about.onlyAgent({ agent });
    const { shown, foot } = paginate(others, { typed: args, words: 'assistant', phrases, command });
    const list = shown.map(({ name }) => `- ${codeSpan(name)}`).join('\n');
    return [about.currentAgent({ agent }), list, ...(foot === undefined ? [] : [foot])].join('\n\n');
  }
  if (args === 'default') {
    refuseInRoom(call);
    await choose(call, undefined);
    return about.agentReset({ agent: escapeMarkdown(answering(call)) });
  }
  const wanted = assistants.all().find(({ name }) => name.toLowerCase() === args.toLowerCase());
  if (wanted === undefined) {
    refuseInRoom(call);
    throw refusal(({ about: words }, named) => words.unknownAgent({ agent: codeSpan(args), command: named }));
  }
  const why = refusalOf(call, wanted);
  if (why !== undefined) throw why;
  await choose(call, wanted.name);
  return about.agentSet({ agent: escapeMarkdown(wanted.name) });
};

/** Who answers what is written here next. */
function answering({ assistants, row }: CommandCall): string {
  return assistants.nameIn(assistants.laneNow(row.lane, row));
}

/** The conversation with the one before stays as it is, and goes on when that one is chosen again. */
async function choose(call: CommandCall, agent: string | undefined): Promise<void> {
  const { ledger, row } = call;
  await endAsked(call);
  ledger.transact(() => ledger.laneSettings.set(choiceLaneOf(row), { agent }));
}

/** Why this person may not choose the assistant here; undefined where they may. In a room they would choose for everyone. */
function refusalOf(call: CommandCall, { name, choosableBy }: Assistant): Error | undefined {
  const { row, role } = call;
  const agent = escapeMarkdown(name);
  if (choosableBy === 'nobody') return refusal(({ about }) => about.agentForNobody({ agent }));
  if (row.address.kind !== 'dm' && role !== 'owner') return inRoom(call);
  if (isAtLeast(role, choosableBy)) return undefined;
  return refusal(({ about, access }) => about.agentNotForYou({ agent, role: access.role({ role }) }));
}

function refuseInRoom(call: CommandCall): void {
  if (call.row.address.kind !== 'dm' && call.role !== 'owner') throw inRoom(call);
}

const inRoom = ({ role }: CommandCall): Error =>
  refusal(({ about, access }) => about.agentForOwners({ role: access.role({ role }) }));

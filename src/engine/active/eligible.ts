// In which chats, and for which agents, there is a look into memory before an answer. Pure.
import type { Agent } from '#engine/context/agents.ts';
import type { LookRefusal } from '#engine/wire/memory/active-memory.ts';
import type { PromptOrigin } from '#engine/wire/runs/prompt.ts';

type ChatKind = PromptOrigin['kind'];

export interface Eligibility {
  /** The kinds of chats by platform; a platform that is not named has none. */
  chats: Readonly<Record<string, readonly ChatKind[]>>;
  /** Names of agents; all when absent. */
  agents?: readonly string[] | undefined;
  /** Only these chats, by their canonical addresses; all of these kinds when absent. A room's address means its threads too. */
  allow?: readonly string[] | undefined;
  /** None of these, whatever else holds. */
  deny?: readonly string[] | undefined;
}

/** Where a message was written, and who answers. */
interface LookPlace {
  platform: string;
  kind: ChatKind;
  /** Canonical address. */
  chat: string;
  agent: Pick<Agent, 'name' | 'memory'>;
}

/** Why there is no look in this place; null where there is one. */
export function lookRefusal(
  { chats, agents, allow, deny = [] }: Eligibility,
  place: LookPlace,
): LookRefusal | null {
  const isNamed = (list: readonly string[]): boolean =>
    list.includes(place.chat) || list.includes(roomOf(place.chat));
  if (chats[place.platform]?.includes(place.kind) !== true) return 'chat_kind';
  if (isNamed(deny) || (allow !== undefined && !isNamed(allow))) return 'chat';
  if (agents?.includes(place.agent.name) === false) return 'agent';
  return place.agent.memory === 'off' ? 'no_memory' : null;
}

/** The place that a canonical address names, for an agent. */
export function placeOfChat(chat: string, agent: LookPlace['agent']): LookPlace {
  const [platform = '', kind] = chat.split(':');
  return { platform, kind: kind === 'group' || kind === 'channel' ? kind : 'dm', chat, agent };
}

/** The address of a chat without its thread, which is its last field. */
function roomOf(chat: string): string {
  return chat.replace(/:[^:]*$/, ':-');
}

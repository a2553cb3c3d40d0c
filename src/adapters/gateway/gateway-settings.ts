// What of the config a gateway looks up each time it needs it.

import type { AssistantRules } from '#adapters/gateway/admission/assistants.ts';
import type { Limits } from '#adapters/gateway/admission/limits.ts';
import type { Language } from './phrases/language.ts';
import type { ApprovalLocation } from './terms/access-types.ts';

/** What may change while the gateway is open: it is read when it is needed. */
export interface GatewaySettings {
  /** How much people and rooms may use within a day; without end when absent. */
  limits?: Limits | undefined;
  /** Who may approve tool calls, by name (owners when absent), and where rooms ask for approval. */
  approvals?: { approvers?: readonly string[] | undefined; asked?: ApprovalLocation | undefined } | undefined;
  /** How far what is written in an open room reaches; the space when absent. */
  sharing?: 'room' | 'space' | 'everyone' | undefined;
  /** What the usual assistant calls itself. */
  agent: string;
  /** The assistants and where they answer; only the usual one when absent. */
  assistants?: AssistantRules | undefined;
  debounceMs: number;
  /** How long a part of an answer is tried that the platform refuses although its connection stands, in minutes; 10 when absent. */
  giveUpMinutes?: number | undefined;
  /** What is spoken in rooms, and to people whose language no platform says; English when absent. */
  language?: Language | undefined;
}

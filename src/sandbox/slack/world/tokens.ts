// Which token may call what, as Slack checks it before a method runs.
import { Refusal, refuse } from './refusal.ts';
import type { Room } from './workspace.ts';

export const tokens = { bot: 'xoxb-0-sandbox-bot', app: 'xapp-1-A0PARLEY0-sandbox' };

const history = ['channels:history', 'groups:history', 'im:history', 'mpim:history'];
const reading = ['channels:read', 'groups:read', 'im:read', 'mpim:read'];

/** Scopes of each method for a bot token; any one of them is enough. An empty list: a valid token is enough. */
const needs: Record<string, readonly string[]> = {
  'auth.test': [],
  'auth.teams.list': [],
  'team.info': ['team:read'],
  'bots.info': ['users:read'],
  'users.info': ['users:read'],
  'users.list': ['users:read'],
  'users.conversations': reading,
  'conversations.list': reading,
  'conversations.info': reading,
  'conversations.members': reading,
  'conversations.open': ['im:write', 'mpim:write', 'channels:manage'],
  'conversations.history': history,
  'conversations.replies': history,
  'chat.postMessage': ['chat:write'],
  'chat.postEphemeral': ['chat:write'],
  'chat.update': ['chat:write'],
  'chat.delete': ['chat:write'],
  'chat.startStream': ['chat:write'],
  'chat.appendStream': ['chat:write'],
  'chat.stopStream': ['chat:write'],
  'files.info': ['files:read'],
  'files.getUploadURLExternal': ['files:write'],
  'files.completeUploadExternal': ['files:write'],
  'reactions.add': ['reactions:write'],
  'reactions.remove': ['reactions:write'],
  'assistant.threads.setStatus': ['assistant:write', 'chat:write'],
  'assistant.threads.setTitle': ['assistant:write'],
};

/** What the sandbox's bot token has unless set otherwise. An app that has `assistant:write` besides is an agent. */
export const allScopes: readonly string[] = [
  'app_mentions:read',
  'chat:write',
  'files:read',
  'files:write',
  'im:write',
  'reactions:write',
  'team:read',
  'users:read',
  ...history,
  ...reading,
];

/** Refuses a call in Slack's words when its token is absent, unknown, of the wrong type or without the scope. */
export function authorize(method: string, token: string | undefined, scopes: readonly string[]): void {
  if (token === undefined || token === '') throw refuse('not_authed');
  if (token !== tokens.bot && token !== tokens.app) throw refuse('invalid_auth');
  if (method === 'apps.connections.open') {
    if (token !== tokens.app) throw refuse('not_allowed_token_type');
    return;
  }
  if (token !== tokens.bot) throw refuse('not_allowed_token_type');
  const needed = needs[method] ?? [];
  if (needed.length > 0 && !needed.some((scope) => scopes.includes(scope)))
    throw new Refusal({
      word: 'missing_scope',
      scopes: { needed: needed.join(','), provided: scopes.join(',') },
    });
}

/** Whether a bot token with these scopes may call the method on a conversation of this kind. */
export function allows(method: string, kind: Room['kind'], scopes: readonly string[]): boolean {
  const needed = needs[method] ?? [];
  const own = needed.filter((scope) => scope.startsWith(`${prefixes[kind]}:`));
  const wanted = needed === history || needed === reading ? own : needed;
  return needed.length === 0 || wanted.some((scope) => scopes.includes(scope));
}

const prefixes: Record<Room['kind'], string> = {
  channel: 'channels',
  group: 'groups',
  mpim: 'mpim',
  im: 'im',
};

/** Refuses with `missing_scope` when conversations of these kinds may not be listed (`read`) or read (`history`). */
export function requireFor(
  kinds: readonly Room['kind'][],
  what: 'read' | 'history',
  scopes: readonly string[],
): void {
  const lacking = kinds.map((kind) => `${prefixes[kind]}:${what}`).filter((scope) => !scopes.includes(scope));
  if (lacking.length > 0)
    throw new Refusal({
      word: 'missing_scope',
      scopes: { needed: lacking.join(','), provided: scopes.join(',') },
    });
}

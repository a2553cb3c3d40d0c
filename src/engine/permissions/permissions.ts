// Approval to use a tool: by policy, by what was allowed permanently, or by asking.
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import type { EventLog } from '#engine/events/event-log.ts';
import type { Answerer, PermissionRule, permissionReplies } from '#engine/wire/runs/request.ts';
import { type Policy, type ToolPolicy, verdictOf } from './policy.ts';
import type { RequestingCall, StoredRequest } from './request-rows.ts';
import type { Requests } from './requests.ts';
import type { RuleRows } from './rule-rows.ts';

type PermissionDecision = { status: 'granted' } | { status: 'denied'; error: string };

export interface Permissions {
  /** What holds for a tool without asking anyone. */
  verdict(tool: string, at: { platform: string | undefined; otherwise: ToolPolicy }): ToolPolicy;
  /** Waits for approval where it has to be asked for. */
  authorize(
    asking: RequestingCall,
    how: { verdict: ToolPolicy; canAsk: boolean; signal: AbortSignal },
  ): Promise<PermissionDecision>;
  reply(
    requestID: string,
    reply: (typeof permissionReplies)[number],
    by?: Answerer,
  ): { request: StoredRequest; reply: 'once' | 'always' | 'reject'; rule?: PermissionRule };
  rules(): PermissionRule[];
  removeRule(id: string): void;
}

/** The permissions over requests and rules; the policy is read at each call, so that a restart with another one holds at once. */
export function createPermissions(options: {
  policy: Policy;
  requests: Requests;
  rules: RuleRows;
  events: EventLog;
  clock: Clock;
  newId: NewId;
}): Permissions {
  const { policy, requests, rules, events, clock, newId } = options;
  return {
    verdict: (tool, at) => verdictOf(policy, tool, at),
    async authorize(asking, { verdict, canAsk, signal }) {
      const { tool, agent } = asking;
      if (verdict === 'deny') return { status: 'denied', error: `The tool ${tool} may not be used here.` };
      if (verdict === 'allow' || rules.of(agent, tool) !== undefined) return { status: 'granted' };
      if (!canAsk) {
        return {
          status: 'denied',
          error: `The tool ${tool} needs someone's approval, and nobody can be asked here. Say so to the person.`,
        };
      }
      const reply = await requests.ask({ ...asking, kind: 'permission' }, signal);
      if (reply.status === 'expired') {
        return { status: 'denied', error: `Nobody allowed the tool ${tool} in time.` };
      }
      if (reply.reply !== 'reject') return { status: 'granted' };
      const who = reply.by === undefined ? 'The person' : reply.by.name;
      return { status: 'denied', error: `${who} did not allow the tool ${tool}.` };
    },
    reply(requestID, given, by) {
      const reply = given === 'allow' ? 'once' : given === 'deny' ? 'reject' : given;
      let made: PermissionRule | undefined;
      const request = requests.answer(requestID, 'permission', {
        reply,
        by,
        also({ agent, tool }) {
          if (reply !== 'always') return;
          const created = { id: newId('rul'), agent, tool, createdAtMs: clock.now() };
          made = rules.put(by === undefined ? created : { ...created, by });
        },
      });
      // the same answer given again made no rule: the one of the first time, unless it was taken back
      const rule = made ?? (reply === 'always' ? rules.of(request.agent, request.tool) : undefined);
      return { request, reply, ...(rule === undefined ? {} : { rule }) };
    },
    rules: () => rules.all(),
    removeRule(id) {
      events.commit(() => {
        if (rules.remove(id)) return;
        throw new ParleyError('rule_not_found', `There is no standing rule ${JSON.stringify(id)}.`);
      });
    },
  };
}

// How agent teams are, as `status` and the doctor say it.
import type { TeamStanding } from '#engine/wire/teams/team-standing.ts';

/** One line on what the teams are doing. */
export function teamFact({ missions, running, queued, approvals }: TeamStanding): string {
  const agents = `${running} ${running === 1 ? 'agent runs' : 'agents run'}`;
  const rest = [
    ...(queued === 0 ? [] : [`${queued} about to`]),
    ...(approvals === 0 ? [] : [`${approvals} ${approvals === 1 ? 'waits' : 'wait'} for approval`]),
  ];
  return [`${missions} active ${missions === 1 ? 'mission' : 'missions'}`, agents, ...rest].join(', ');
}

/** Problems of agent teams with hints; empty when all is well. */
export function teamProblems({ unusable, approvals }: TeamStanding): { what: string; hint: string }[] {
  return [
    ...(unusable === null
      ? []
      : [{ what: `No agent is started. ${unusable}`, hint: 'Correct it: the next request reads it again.' }]),
    ...(approvals === 0
      ? []
      : [
          {
            what: `${approvals} ${approvals === 1 ? 'agent waits' : 'agents wait'} for approval.`,
            hint: 'Decide in the console under "Agents", or over HTTP (/agent-team/approvals).',
          },
        ]),
  ];
}

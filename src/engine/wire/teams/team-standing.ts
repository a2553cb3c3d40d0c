// How agent teams are at this moment, for anyone who runs the engine. Shapes and promises only.
import { z } from 'zod';

export const teamStanding = z.object({
  missions: z.number().describe('Missions that have not ended'),
  running: z.number().describe('Agents that run'),
  queued: z.number().describe('Agents that are about to'),
  approvals: z.number().describe('Requests to start an agent, of programs, that wait for a person'),
  unusable: z.string().nullable().describe('Why no agent is started although teams are configured'),
});
export type TeamStanding = z.infer<typeof teamStanding>;

export interface StandingTeams {
  /** Undefined where the config has no teams, or switches them off, and none is at work. */
  teamStanding(): Promise<TeamStanding | undefined>;
}

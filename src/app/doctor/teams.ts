// Agent teams, as the doctor sees them: the policy's file, skills and templates.
import { skillReport } from '#app/settings/skill-report.ts';
import type { TeamSettings } from '#engine/wire/teams/team-policy.ts';
import { type Diagnostic, ok, warning } from './diagnostic.ts';

/** Checks the agent teams of the config; empty when there are none. */
export async function checkTeams(settings: TeamSettings | undefined): Promise<Diagnostic[]> {
  if (settings === undefined) return [];
  const { enabled, skills, problems } = await skillReport(settings);
  const count = skills.length === 1 ? '1 skill' : `${skills.length} skills`;
  const state = enabled ? 'Agents may start others' : 'Agent teams are switched off';
  return [
    ok(`${state}; ${count}.`),
    ...problems.map((what) => warning(what, 'Until it is corrected, agents that need it are not started.')),
  ];
}

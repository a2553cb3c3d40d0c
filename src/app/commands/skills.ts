// `parley skills ...`: the skills of agents, with their hashes, and what is wrong with them.
import { loadConfig } from '#app/config/load.ts';
import { wrapped } from '#app/screen/screen.ts';
import { type SkillReport, skillReport } from '#app/settings/skill-report.ts';
import { teamSettings } from '#app/settings/team-settings.ts';
import { documentPath } from '#base/documents.ts';
import { ParleyError } from '#base/errors.ts';
import { counted } from '#base/text.ts';
import type { CommandInput } from './parts/input.ts';

/** Runs one action of `parley skills`; resolves with its exit code. */
export async function skills(input: CommandInput): Promise<number> {
  const { rest, json, print } = input;
  const [action] = rest;
  const loaded = loadConfig(input);
  const settings = teamSettings(loaded.config.agents.team, loaded.folder);
  if (settings === undefined)
    throw new ParleyError('no_skills', 'The config has no "agents.team", so there are no skills.', {
      hint: `How teams and skills are set up: ${documentPath('agent-teams.md')}`,
    });
  const report = await skillReport(settings);
  const lines = action === 'list' ? listLines(report) : checkLines(report);
  if (json) print(JSON.stringify(report));
  else for (const line of lines) print(line);
  return action === 'check' && report.problems.length > 0 ? 1 : 0;
}

function listLines({ skills: all }: SkillReport): string[] {
  if (all.length === 0) return ['There is no skill in the folders of agents.team.skillFolders.'];
  return all.flatMap(({ id, description, hash, pinned, folder }) => {
    const state =
      pinned === undefined ? 'not pinned' : pinned === hash ? 'pinned' : 'CHANGED since it was pinned';
    return [`${id}  (${state})`, ...[...wrapped(description), folder, hash].map((line) => `  ${line}`)];
  });
}

function checkLines({ skills: all, templates, problems }: SkillReport): string[] {
  const fine = `${counted(all.length, 'skill')} and ${counted(templates, 'template')} of the config: nothing is wrong.`;
  return problems.length === 0 ? [fine] : problems.flatMap((problem) => wrapped(`- ${problem}`));
}

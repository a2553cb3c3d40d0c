// The skills that the config names and what is wrong with them, the policy's file and the templates; read from disk, nothing is started.
import { readFile } from 'node:fs/promises';
import { errorMessage } from '#base/errors.ts';
import { checkSkills, pinnedHash } from '#engine/teams/check-skills.ts';
import { readSkills, type Skill, type SkillShelf } from '#engine/teams/skills.ts';
import type { SpawnPolicy, TeamSettings } from '#engine/wire/teams/team-policy.ts';

export interface SkillReport {
  enabled: boolean;
  skills: (Skill & { pinned: string | undefined })[];
  templates: number;
  /** One sentence each. */
  problems: string[];
}

/** The skills in all folders, with the problems of those that cannot be used. Never throws for a bad file. */
export async function skillReport({
  policy: configured,
  policyFile,
  templates,
  skillFolders,
  projectFolder,
}: TeamSettings): Promise<SkillReport> {
  const problems: string[] = [];
  const failing = (error: unknown): void => void problems.push(errorMessage(error));
  const stated = async (path: string): Promise<Partial<SpawnPolicy>> => {
    const { readPolicyFile } = await import('#engine/teams/policy-file.ts');
    return readPolicyFile(await readFile(path, 'utf8'), path);
  };
  const fromFile = policyFile === undefined ? {} : await stated(policyFile).catch(failing);
  const policy: SpawnPolicy = { ...configured, ...fromFile };
  const empty: SkillShelf = { skills: [], broken: [] };
  const shelf = (await readSkills(skillFolders).catch(failing)) ?? empty;
  for (const { folder, problem } of shelf.broken) problems.push(`${folder} is no skill: ${problem}.`);
  for (const template of templates) {
    const verdict = checkSkills(policy, template, { shelf, projectFolder });
    if (verdict.status === 'denied') problems.push(`${verdict.error} (${verdict.code})`);
  }
  const skills = shelf.skills.map((skill) => ({
    ...skill,
    pinned: pinnedHash(skill, policy.skillSources, projectFolder),
  }));
  for (const { id, hash, pinned } of skills)
    if (pinned !== undefined && pinned !== hash)
      problems.push(`The skill ${id} is pinned to ${pinned}, and its files are ${hash}.`);
  for (const key of Object.keys(policy.skillSources.pinnedHashes)) {
    const id = key.startsWith('id:') ? key.slice('id:'.length) : undefined;
    if (id !== undefined && skills.every((skill) => skill.id !== id))
      problems.push(`There is a pinned hash for the skill ${id}, and no such skill.`);
  }
  return { enabled: policy.enabled, skills, templates: templates.length, problems: [...new Set(problems)] };
}

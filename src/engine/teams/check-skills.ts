// Whether an agent may have the skills that it lists: they exist, come from where the policy allows, and are what was pinned. Pure.
import { createHash } from 'node:crypto';
import type { DenyCode } from '#engine/wire/teams/team.ts';
import type { AgentTemplate, SkillRef, SpawnPolicy } from '#engine/wire/teams/team-policy.ts';
import { findSkill, folderOf, isInsideFolder, type Skill, type SkillShelf } from './skills.ts';

export type SkillVerdict =
  | { status: 'usable'; skills: Skill[]; skillHash: string | undefined }
  | { status: 'denied'; code: DenyCode; error: string };

/** Looks at the template's skills, and at those that its role requires. */
export function checkSkills(
  { requiredSkills, skillSources }: Pick<SpawnPolicy, 'requiredSkills' | 'skillSources'>,
  template: Pick<AgentTemplate, 'templateID' | 'role' | 'skills'>,
  { shelf, projectFolder }: { shelf: SkillShelf; projectFolder: string },
): SkillVerdict {
  const denied = (code: DenyCode, error: string): SkillVerdict => ({ status: 'denied', code, error });
  const find = (ref: SkillRef): Skill | undefined => findSkill(shelf, ref, projectFolder);
  const listed = template.skills.map((ref) => ({ ref, skill: find(ref) }));
  for (const ref of requiredSkills[template.role] ?? []) {
    const required = find(ref);
    if (required === undefined || listed.every(({ skill }) => skill?.folder !== required.folder))
      return denied(
        'spawn_required_skill_missing',
        `A ${template.role} must have the skill ${nameOf(ref)}, which the template ${template.templateID} does not have.`,
      );
  }
  for (const { ref, skill } of listed) {
    if (skill === undefined)
      return denied(
        'spawn_required_skill_missing',
        `The skill ${nameOf(ref)} of the template ${template.templateID} was not found${whyNot(ref, shelf, projectFolder)}.`,
      );
    if (!isAllowed(skill, skillSources, projectFolder))
      return denied(
        'spawn_skill_source_denied',
        `The skill ${skill.id} comes from ${skill.folder}, which the policy does not allow (skill_sources: ${skillSources.mode}).`,
      );
    const pinned = pinnedHash(skill, skillSources, projectFolder);
    if (pinned !== undefined && pinned !== skill.hash)
      return denied(
        'spawn_skill_hash_mismatch',
        `The skill ${skill.id} has changed: ${skill.hash} is not the pinned ${pinned}.`,
      );
  }
  const skills = listed.flatMap(({ skill }) => skill ?? []);
  return { status: 'usable', skills, skillHash: hashOf(skills) };
}

/** One hash for all of an agent's skills; that of the skill itself where there is one. */
function hashOf(skills: readonly Skill[]): string | undefined {
  const [first, ...more] = skills.map(({ hash }) => hash);
  if (first === undefined || more.length === 0) return first;
  return `sha256:${createHash('sha256')
    .update([first, ...more].join('\n'))
    .digest('hex')}`;
}

function isAllowed(
  { id, folder }: Skill,
  { mode, allowlistIDs, allowlistPaths }: SpawnPolicy['skillSources'],
  projectFolder: string,
): boolean {
  switch (mode) {
    case 'any':
      return true;
    case 'project_only':
      return isInsideFolder(folder, projectFolder);
    case 'allowlist':
      return (
        allowlistIDs.includes(id) || allowlistPaths.some((path) => folderOf(path, projectFolder) === folder)
      );
  }
}

/** What the policy pins the skill to, by its name or by its path. */
export function pinnedHash(
  { id, folder }: Pick<Skill, 'id' | 'folder'>,
  { pinnedHashes }: SpawnPolicy['skillSources'],
  projectFolder: string,
): string | undefined {
  const byID = pinnedHashes[`id:${id}`];
  if (byID !== undefined) return byID;
  const byPath = Object.entries(pinnedHashes).find(
    ([key]) => key.startsWith('path:') && folderOf(key.slice('path:'.length), projectFolder) === folder,
  );
  return byPath?.[1];
}

function whyNot(ref: SkillRef, { broken }: SkillShelf, projectFolder: string): string {
  const found = broken.find(({ id, folder }) =>
    ref.path === undefined ? id === ref.id : folder === folderOf(ref.path, projectFolder),
  );
  return found === undefined ? '' : `: ${found.problem}`;
}

function nameOf({ id, path }: SkillRef): string {
  return id ?? path ?? '';
}

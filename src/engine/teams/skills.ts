// Skills: folders with a SKILL.md that says their name, what they are for and what to do. Read, hashed, and found by reference.
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { codeOf, errorMessage } from '#base/errors.ts';
import { formatZodError } from '#base/json.ts';
import type { SkillRef } from '#engine/wire/teams/team-policy.ts';

export interface Skill {
  /** The name of its folder. */
  id: string;
  name: string;
  description: string;
  /** For the model: what SKILL.md says after its head. */
  instructions: string;
  /** Absolute path of the folder. */
  folder: string;
  /** Its other files, relative to the folder, in order. */
  files: string[];
  /** `sha256:` and the hash of all files with their names. */
  hash: string;
}

/** A folder that is no skill, and why. */
interface BrokenSkill {
  id: string;
  folder: string;
  problem: string;
}

export interface SkillShelf {
  skills: Skill[];
  broken: BrokenSkill[];
}

/** Bounds of one skill: what a model is shown of it, and what is hashed. */
const maxInstructionChars = 40_000;
const maxFiles = 200;
const maxBytes = 5 * 1024 * 1024;

const head = z.strictObject({
  name: z.string().trim().min(1).max(80),
  description: z.string().trim().min(1).max(1_000),
});

/** Every skill of these folders, by folder and name; of two with one name the first counts. A folder that is not there has none. */
export async function readSkills(folders: readonly string[]): Promise<SkillShelf> {
  const skills = new Map<string, Skill>();
  const broken: BrokenSkill[] = [];
  for (const folder of folders) {
    for (const id of await foldersIn(folder)) {
      const read = await readSkill(join(folder, id));
      if ('problem' in read) broken.push(read);
      else if (!skills.has(id)) skills.set(id, read);
    }
  }
  return { skills: [...skills.values()], broken };
}

/** One skill by its folder. */
async function readSkill(folder: string): Promise<Skill | BrokenSkill> {
  const id = basename(folder);
  const failed = (problem: string): BrokenSkill => ({ id, folder, problem });
  try {
    const text = await readFile(join(folder, 'SKILL.md'), 'utf8');
    const [, front, instructions] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/.exec(text) ?? [];
    if (front === undefined || instructions === undefined)
      return failed(
        'SKILL.md must begin with a head between two lines of "---" that has name and description',
      );
    // a start without skills does not load it
    const { parseDocument } = await import('yaml');
    const document = parseDocument(front);
    const [mistake] = document.errors;
    if (mistake !== undefined) return failed(`the head of SKILL.md is not YAML: ${mistake.message}`);
    const parsed = head.safeParse(document.toJS() ?? {});
    if (!parsed.success) return failed(`the head of SKILL.md: ${formatZodError(parsed.error).join('; ')}`);
    if (instructions.trim() === '') return failed('SKILL.md has no instructions after its head');
    if (instructions.length > maxInstructionChars)
      return failed(
        `SKILL.md has ${instructions.length} characters; at most ${maxInstructionChars} are allowed`,
      );
    const files = await filesIn(folder);
    if (files.length > maxFiles)
      return failed(`it has ${files.length} files; at most ${maxFiles} are allowed`);
    const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    if (bytes > maxBytes) return failed(`it has ${bytes} bytes; at most ${maxBytes} are allowed`);
    return {
      id,
      ...parsed.data,
      instructions: instructions.trim(),
      folder,
      files: files.filter((file) => file !== 'SKILL.md'),
      hash: await hashOf(folder, files),
    };
  } catch (error) {
    return failed(
      codeOf(error) === 'ENOENT' ? 'there is no SKILL.md in it' : `it cannot be read: ${errorMessage(error)}`,
    );
  }
}

/** The skill that a reference names; paths are relative to `projectFolder`. */
export function findSkill({ skills }: SkillShelf, ref: SkillRef, projectFolder: string): Skill | undefined {
  if (ref.path === undefined) return skills.find(({ id }) => id === ref.id);
  const folder = folderOf(ref.path, projectFolder);
  return skills.find((skill) => skill.folder === folder);
}

/** The skill's folder, whether the path names it or its SKILL.md. */
export function folderOf(path: string, projectFolder: string): string {
  const whole = resolve(projectFolder, path);
  return basename(whole) === 'SKILL.md' ? dirname(whole) : whole;
}

/** Whether the folder is inside of the other one. */
export function isInsideFolder(folder: string, of: string): boolean {
  const way = relative(of, folder);
  return way !== '' && !way.startsWith(`..${sep}`) && way !== '..' && !isAbsolute(way);
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
}

/** Only files: what a link leads to is not part of the skill. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

async function hashOf(folder: string, files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) {
    const bytes = await readFile(join(folder, file));
    hash.update(`${file}\n${bytes.length}\n`).update(bytes);
  }
  return `sha256:${hash.digest('hex')}`;
}

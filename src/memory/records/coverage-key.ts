// By what knowledge is known to be about the same: a key of its project, its field, its kind of work and its subject. Pure.
import { z } from 'zod';
import type { Coverage } from '#memory/types/knowledge.ts';
import { projectForm } from '#memory/types/project-form.ts';

const words = z
  .string()
  .max(200)
  .regex(/[\p{L}\p{N}]/u, 'expected words');
/** Names what is covered, in a stored record and in a question. */
export const coverageSchema = z.object({
  subject: words,
  taskFamily: words.optional(),
  namespace: words.optional(),
  projectID: z.string().min(1).max(200).optional(),
});

/** The kind of work where none is named. */
export const usualFamily = 'general';

/** `project::namespace::task family::subject`, each part in small letters with single dashes; `-` where there is none. */
export function coverageKeyOf({ projectID, namespace, taskFamily = usualFamily, subject }: Coverage): string {
  // a project is named by an id, which is no text
  const project = projectID === undefined ? '-' : encodeURIComponent(projectForm(projectID));
  return [project, ...[namespace, taskFamily, subject].map(segmentOf)].join('::');
}

function segmentOf(text = ''): string {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return words === null ? '-' : words.join('-');
}

// The hash by which the same content is recognised again.
import { hash } from 'node:crypto';
import { projectForm } from '#memory/types/project-form.ts';

/** SHA-256 of the fields, in hexadecimal; no two lists of fields share one. */
export function digestOf(...fields: string[]): string {
  return hash('sha256', JSON.stringify(fields));
}

/** Fields by which the same words hash differently in the own memory of an agent; none for what is shared. */
function partitionFields(partition: string | undefined): string[] {
  return partition === undefined ? [] : ['agent', partition];
}

/** The words whatever their case, spacing and Unicode form. */
export function comparableText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** By what a passage of an exchange or of an imported file is known again. */
interface KnownPassage {
  source: string;
  person: string;
  speaker: string;
  sessionID: string;
  projectID: string | undefined;
  tier?: string | undefined;
  partition?: string | undefined;
  messageIDs: readonly string[];
  content: string;
  userText: string;
  assistantText: string;
}

/**
 * Equal for the same passage: of an exchange, whatever its case, spacing and Unicode form. The same words at another place of a conversation
 * are another turn; what is stored for only a part of an audience, or for one agent, is a separate memory there.
 */
export function passageHash(passage: KnownPassage): string {
  const { source, person, userText, assistantText, sessionID, messageIDs, speaker, content } = passage;
  const words = (): string[] => {
    switch (source) {
      case 'exchange':
        return [person, comparableText(userText), comparableText(assistantText)];
      case 'turn':
        return [sessionID, ...messageIDs, speaker, content];
      default:
        return [content];
    }
  };
  return digestOf(...words(), ...reachOf(passage));
}

/** What is imported for a project is found by it, also where it is for every project; what was said belongs to the first one. */
function reachOf({ source, tier = 'global', sessionID, projectID, partition }: KnownPassage): string[] {
  const agent = partitionFields(partition);
  if (tier === 'session') return [tier, sessionID, ...agent];
  const project = projectForm(projectID ?? '');
  if (tier === 'project') return [tier, project, ...agent];
  return source === 'exchange' || projectID === undefined ? agent : ['of project', project, ...agent];
}

/** Equal for notes with the same words, under the same key if any, in the memory of the same agents. */
export function noteHash(
  text: string,
  { partition, key }: { partition?: string | undefined; key?: string | undefined },
): string {
  const keyed = key === undefined ? [] : ['key', comparableText(key)];
  return digestOf('note', comparableText(text), ...keyed, ...partitionFields(partition));
}

/** The hash of what an entry of the journal says: a lesson its words, any other one its title and its text. */
export function entryHash(row: Readonly<Record<string, unknown>>, partition: string | undefined): string {
  const text = row.summary ?? row.body ?? row.fact ?? row.topic ?? '';
  return noteHash(String(row.lesson ?? `${row.title}\n${text}`), { partition });
}

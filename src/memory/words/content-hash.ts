// By what contents are known as the same again.
import { hash } from 'node:crypto';

/** SHA-256 of the fields, in hexadecimal; no two lists of fields share one. */
export function digestOf(...fields: string[]): string {
  return hash('sha256', JSON.stringify(fields));
}

/** Fields by which the same words hash differently in the own memory of an agent; none for what is shared. */
export function partitionFields(partition: string | undefined): string[] {
  return partition === undefined ? [] : ['agent', partition];
}

/** The words whatever their case, spacing and Unicode form. */
export function comparableText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** Equal for notes with the same words, under the same key if any, in the memory of the same agents. */
export function noteHash(
  text: string,
  { partition, key }: { partition?: string | undefined; key?: string | undefined },
): string {
  const keyed = key === undefined ? [] : ['key', comparableText(key)];
  return digestOf('note', comparableText(text), ...keyed, ...partitionFields(partition));
}

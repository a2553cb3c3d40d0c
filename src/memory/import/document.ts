// A Markdown or plain text file as passages, each under its headings. A block is torn only when it is too long for one passage.
import { basename } from 'node:path';
import type { NewChunk } from '#memory/chunks/sources.ts';
import { splitExchange } from '#memory/chunks/split-exchange.ts';
import type { ImportRequest } from '#memory/types/import.ts';
import { markdownBlocks } from './markdown-blocks.ts';

/** Characters of a passage, about 400 tokens; a longer block is cut between sentences. */
const passageChars = 1600;
const frontMatter = /^---\r?\n[\s\S]*?\r?\n---\r?\n/;

interface Passage {
  headings: readonly string[];
  text: string;
}

/** The passages of a file as chunks, in order; none for a file without words. */
export function* readDocument(
  content: string,
  request: Pick<ImportRequest, 'where' | 'projectID'>,
  file: { path: string; at: number },
): Generator<NewChunk> {
  const { where, projectID } = request;
  const text = content.replace(/^\ufeff/, '').replace(frontMatter, '');
  const passages = /\.(?:mdx?|markdown)$/i.test(file.path) ? markdownPassages(text) : plainPassages(text);
  const name = basename(file.path).replace(/\.[^.]+$/, '');
  for (const [index, passage] of passages.entries()) {
    const headings = passage.headings.join(' > ');
    yield {
      source: 'document',
      audience: where.audience,
      space: where.space,
      restricted: where.restricted,
      at: file.at,
      lastWrittenAt: file.at,
      speaker: name,
      person: `file:${file.path}`,
      platform: 'import',
      chat: `import:${file.path}`,
      sessionID: file.path,
      projectID,
      workspaceRoot: undefined,
      runID: '',
      messageIDs: [String(index + 1)],
      tokenCount: Math.ceil(passage.text.length / 4),
      content: headings === '' ? passage.text : `${headings}\n${passage.text}`,
      userText: passage.text,
      assistantText: '',
      about: `${name}\n${headings}`,
      metadata: { pieces: passages.length },
    };
  }
}

function markdownPassages(text: string): Passage[] {
  const passages: Passage[] = [];
  const headings: string[] = [];
  let current = '';
  const flush = (): void => {
    if (current.trim() !== '') passages.push({ headings: [...headings], text: current.trim() });
    current = '';
  };
  for (const block of markdownBlocks(text)) {
    if (block.kind === 'heading') {
      flush();
      headings.length = Math.min(headings.length, block.depth - 1);
      headings.push(block.text);
      continue;
    }
    for (const part of block.text.length > passageChars ? sentencesOf(block.text) : [block.text]) {
      if (current !== '' && current.length + part.length > passageChars) flush();
      current += `${current === '' ? '' : '\n\n'}${part}`;
    }
  }
  flush();
  return passages;
}

function plainPassages(text: string): Passage[] {
  const passages: Passage[] = [];
  let current = '';
  const parts = text
    .split(/\n\s*\n/)
    .flatMap((part) => (part.length > passageChars ? sentencesOf(part) : [part]));
  for (const part of [...parts, undefined]) {
    if (part === undefined || (current !== '' && current.length + part.length > passageChars)) {
      if (current.trim() !== '') passages.push({ headings: [], text: current.trim() });
      current = '';
    }
    if (part !== undefined) current += `${current === '' ? '' : '\n\n'}${part}`;
  }
  return passages;
}

function sentencesOf(block: string): string[] {
  return splitExchange({ userText: block, assistantText: '' }).map(({ userText }) => userText);
}

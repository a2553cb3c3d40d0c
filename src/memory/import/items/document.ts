// A Markdown or plain text file as passages, each under its headings. A block is torn only when it is too long for one passage.
import { basename } from 'node:path';
import type { NewChunk } from '#memory/chunks/sources.ts';
import { splitExchange } from '#memory/chunks/split-exchange.ts';
import type { ImportRequest } from '#memory/types/import.ts';
import { createHeadingPath } from '#memory/words/heading-path.ts';
import { markdownBlocks } from './markdown-blocks.ts';

/** Characters of a passage, about 400 tokens; a longer block is cut between sentences. */
const passageChars = 1600;
const frontMatter = /^---\r?\n(?:([\s\S]*?)\r?\n)?---(?:\r?\n|$)/;

interface Passage {
  headings: readonly string[];
  text: string;
  /** It is made of headings, with nothing below them. */
  isBare?: true;
}

/** The passages of a file as chunks, in order; none for a file without words. Front matter is one only where the file has nothing else. */
export function* chunksOfDocument(
  content: string,
  request: Pick<ImportRequest, 'where' | 'projectID'>,
  file: { path: string; at: number },
): Generator<NewChunk> {
  const { where, projectID } = request;
  const whole = content.replace(/^\ufeff/, '');
  const text = whole.replace(frontMatter, '');
  const isMarkdown = /\.(?:mdx?|markdown)$/i.test(file.path);
  const inside = isMarkdown ? markdownPassages(text) : plainPassages(text);
  const passages = inside.length > 0 ? inside : plainPassages(frontMatter.exec(whole)?.[1] ?? '');
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
  const path = createHeadingPath();
  let current = '';
  const flush = (): void => {
    if (current.trim() !== '') passages.push({ headings: path.texts(), text: current.trim() });
    current = '';
  };
  /** The heading of which nothing came below yet. */
  let last: { depth: number; above: string[]; text: string } | undefined;
  const bare = (): void => {
    if (last === undefined || last.text === '') return;
    const { above, text } = last;
    const before = passages.at(-1);
    const isNext = before?.isBare === true && before.headings.join('\n') === above.join('\n');
    if (isNext && before.text.length + text.length < passageChars) before.text += `\n${text}`;
    else passages.push({ headings: above, text, isBare: true });
  };
  for (const block of markdownBlocks(text)) {
    if (block.kind === 'heading') {
      flush();
      if (last !== undefined && block.depth <= last.depth) bare();
      path.enter(block.depth, block.text);
      last = { depth: block.depth, above: path.texts().slice(0, -1), text: block.text };
      continue;
    }
    last = undefined;
    for (const part of block.text.length > passageChars ? sentencesOf(block.text) : [block.text]) {
      if (current !== '' && current.length + part.length > passageChars) flush();
      current += `${current === '' ? '' : '\n\n'}${part}`;
    }
  }
  flush();
  bare();
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

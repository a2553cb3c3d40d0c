// The thread that reads pages of strangers: HTML to text.
import { convert } from 'html-to-text';
import { truncate } from '#base/text.ts';
import { answerCalls } from '#base/threads/answer-calls.ts';
import type { PageCalls } from './page-calls.ts';

/** What is nested deeper is left out: browsers draw 512 levels. */
const maxDepth = 1_000;

answerCalls<PageCalls>(({ request: { html, maxChars } }) => {
  const text = convert(html, {
    wordwrap: false,
    limits: { maxDepth: maxDepth, ellipsis: '…' },
    selectors: [
      { selector: 'img', format: 'skip' },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    ],
  });
  return { text: truncate(text, maxChars), cut: text.length > maxChars };
});

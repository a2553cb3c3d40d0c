// The thread that reads pages of strangers: HTML to text. Not when it is asked, nor for how long.
import { convert } from 'html-to-text';
import { answerCalls } from '#base/answer-calls.ts';
import { truncate } from '#base/text.ts';
import type { PageCalls } from './page-calls.ts';

/** What is nested deeper is left out: browsers draw 512 levels. */
const mostDepth = 1_000;

answerCalls<PageCalls>(({ request: { html, mostChars } }) => {
  const text = convert(html, {
    wordwrap: false,
    limits: { maxDepth: mostDepth, ellipsis: '…' },
    selectors: [
      { selector: 'img', format: 'skip' },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    ],
  });
  return { text: truncate(text, mostChars), cut: text.length > mostChars };
});

// The thread that reads what strangers made: documents and pages, as text.
import { truncate } from '#base/text.ts';
import { answerCalls } from '#base/threads/answer-calls.ts';
import type { DocumentCalls } from './document-calls.ts';
import { documentText } from './document-text.ts';
import { htmlText } from './html-text.ts';

answerCalls<DocumentCalls>((asked) => {
  if (asked.name === 'document') return documentText(asked.request);
  const { html, maxChars } = asked.request;
  const text = htmlText(html);
  return { text: truncate(text, maxChars), cut: text.length > maxChars };
});

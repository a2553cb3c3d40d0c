// Which files are documents whose text can be read, by what their bytes are and, for an archive, what they are called.
import { extname } from 'node:path';
import type { DocumentFormat } from './document-calls.ts';

const byType: readonly (readonly [RegExp, DocumentFormat])[] = [
  [/^application\/pdf$/, 'pdf'],
  [/^application\/(vnd\.openxmlformats-officedocument\.wordprocessingml\.|vnd\.ms-word\.)/, 'word'],
  [
    /^application\/(vnd\.openxmlformats-officedocument\.spreadsheetml\.|vnd\.ms-excel\.(sheet|template)\.macro)/,
    'sheets',
  ],
  [/^application\/(vnd\.openxmlformats-officedocument\.presentationml\.|vnd\.ms-powerpoint\.)/, 'slides'],
  [/^application\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)/, 'open document'],
  [/^application\/epub\+zip$/, 'book'],
  [/^(application|text)\/rtf$/, 'rich text'],
  [/^(text\/html|application\/xhtml\+xml)$/, 'html'],
];

const byName: Readonly<Record<string, DocumentFormat>> = {
  ...{ '.pdf': 'pdf', '.docx': 'word', '.docm': 'word', '.xlsx': 'sheets', '.xlsm': 'sheets' },
  ...{ '.pptx': 'slides', '.pptm': 'slides', '.odt': 'open document', '.ods': 'open document' },
  ...{ '.odp': 'open document', '.epub': 'book', '.rtf': 'rich text' },
};

/**
 * The format of a file, undefined for one that is no document. The name decides where the bytes only say that it is an archive or that
 * they are nothing known: a document that is not whole looks like that.
 */
export function documentFormat({ mime, name }: { mime: string; name: string }): DocumentFormat | undefined {
  const [, format] = byType.find(([type]) => type.test(mime)) ?? [];
  if (format !== undefined) return format;
  const isOpen = /^application\/(zip|octet-stream)$/.test(mime);
  return isOpen ? byName[extname(name).toLowerCase()] : undefined;
}

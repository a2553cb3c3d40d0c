// What the thread that reads documents of strangers is given, and what it gives. Shapes only.

/** The formats whose text can be read. */
export type DocumentFormat =
  | 'pdf'
  | 'word'
  | 'sheets'
  | 'slides'
  | 'open document'
  | 'book'
  | 'rich text'
  | 'html';

/** Where a document is, or its bytes. */
export type DocumentFile = string | Uint8Array;

/** Why there is no text of a document; the rest of the sentence is for whoever says it. */
export type UnreadReason =
  | 'password'
  | 'damaged'
  | 'no text'
  | 'only pictures'
  | 'unpacks too large'
  | 'too much work';

export interface DocumentText {
  /** The beginning of the text, with a line before each page, slide, sheet or chapter that is numbered. */
  text: string;
  /** True when more of it was not read. */
  cut: boolean;
  /** Pages, slides or sheets that were read, where the document counts them. */
  pages?: { read: number; of: number } | undefined;
}

export type DocumentCalls = {
  /** The text of a page of the web. Fails with `page_too_large`. */
  page: { request: { html: string; maxChars: number }; result: { text: string; cut: boolean }; news: never };
  /** The text of a file, or why there is none. */
  document: {
    request: { file: DocumentFile; format: DocumentFormat; maxChars: number };
    result: DocumentText | { unread: UnreadReason };
    news: never;
  };
};

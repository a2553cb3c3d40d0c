// What the thread that reads pages is given. Shapes only.

export type PageCalls = {
  /** The text of a page, and whether it was cut. */
  text: { request: { html: string; maxChars: number }; result: { text: string; cut: boolean }; news: never };
};

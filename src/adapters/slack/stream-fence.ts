// The code block that a stream is left in: closed where one message ends, opened again where the next begins. Pure.

export interface OpenFence {
  /** To be put behind the text. */
  close: string;
  /** To be put in front of what follows. */
  reopen: string;
}

const fence = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/;
/** Longer words behind a fence are not said again. */
const mostInfo = 40;

/** The code block that is open at the end of this Markdown; undefined when none is. */
export function openFence(markdown: string): OpenFence | undefined {
  let open: { run: string; info: string } | undefined;
  for (const line of markdown.split('\n')) {
    const [, run, info = ''] = fence.exec(line) ?? [];
    if (run === undefined) continue;
    if (open === undefined) {
      if (run.startsWith('~') || !info.includes('`')) open = { run, info: info.trim() };
    } else if (run[0] === open.run[0] && run.length >= open.run.length && info.trim() === '')
      open = undefined;
  }
  if (open === undefined) return undefined;
  const info = open.info.length > mostInfo ? '' : open.info;
  return { close: `${markdown.endsWith('\n') ? '' : '\n'}${open.run}`, reopen: `${open.run}${info}\n` };
}

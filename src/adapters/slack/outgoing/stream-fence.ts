// The code block that a stream was left in, so that the next message can begin with it. Pure.

const fence = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/;
/** Longer words behind a fence are not said again. */
const maxInfo = 40;

/** The line that opens again the code block which is open at the end of this Markdown; empty when none is. */
export function reopened(markdown: string): string {
  let open: { run: string; info: string } | undefined;
  for (const line of markdown.split('\n')) {
    const [, run, info = ''] = fence.exec(line) ?? [];
    if (run === undefined) continue;
    if (open === undefined) {
      if (run.startsWith('~') || !info.includes('`')) open = { run, info: info.trim() };
    } else if (run[0] === open.run[0] && run.length >= open.run.length && info.trim() === '')
      open = undefined;
  }
  if (open === undefined) return '';
  return `${open.run}${open.info.length > maxInfo ? '' : open.info}\n`;
}

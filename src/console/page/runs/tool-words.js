// What a tool would do, in words, where the tool is Parley's own.
// @ts-check
import { cut } from '#console/page/parts/format.js';

const long = 400;

/** @type {Readonly<Record<string, (args: Record<string, any>) => string>>} */
const sentences = {
  web_fetch: ({ url }) => `Read the page ${url}`,
  web_search: ({ query }) => `Search the web for “${query}”`,
  memory_search: ({ query }) => `Search memory for “${query}”`,
  memory_list: () => 'List what is remembered here',
  memory_read: ({ id }) => `Read the memory ${id}`,
  memory_lookup: ({ key, tag, kind }) => `Look memories up by ${key ?? tag ?? kind ?? 'being pinned'}`,
  memory_store: ({ content }) => `Remember “${content}”`,
  memory_create: ({ content }) => `Remember “${content}”`,
  memory_update: ({ id, content }) =>
    `Change the memory ${id}${content === undefined ? '' : ` to “${content}”`}`,
  memory_delete: ({ id, chunk_id }) => `Forget the memory ${id ?? chunk_id} permanently`,
  memory_get: ({ path }) => `Read the memory file ${path}`,
  memory_note: ({ text }) => `Write “${text}” into today's memory file`,
  memory_edit: ({ path, text }) => `Change the memory file ${path} to “${text}”`,
  artifact: ({ name }) => `Make the file ${name} and send it`,
  image: ({ prompt }) => `Make an image of “${prompt}”`,
  speak: ({ text }) => `Say “${text}” as a voice message`,
  schedule: ({ when, text }) => `Schedule “${text}” for ${when}`,
  spawn_agent: ({ template, task }) => `Start the agent ${template} with “${task}”`,
  cancel_agent: ({ agent }) => `Stop the agent ${agent}`,
};

/** A sentence, or undefined for a tool of someone else. @param {string} tool @param {unknown} args */
export function toolWords(tool, args) {
  if (typeof args !== 'object' || args === null || !Object.hasOwn(sentences, tool)) return undefined;
  return cut(sentences[tool]?.(args) ?? '', long);
}

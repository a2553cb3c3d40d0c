// What a tool would do, in words, where the tool is Parley's own.
// @ts-check
import { cut } from '#console/page/parts/format.js';

/** @import { ownTools } from '#engine/wire/runs/tool-names.ts' */

const long = 400;

/** A model may send anything in the place of a list. @param {unknown} all */
const listed = (all) => (Array.isArray(all) ? all.map((each) => each?.content ?? each) : []).join(', ');

/** Every tool of Parley but `question`, which is no approval. @type {Readonly<Record<Exclude<typeof ownTools[number], 'question'>, (args: Record<string, any>) => string>>} */
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
  memory_delete: ({ id, chunk_id }) => `Forget the memory ${id ?? chunk_id ?? ''} permanently`,
  memory_get: ({ path }) => `Read the memory file ${path}`,
  memory_note: ({ text }) => `Write “${text}” into today's memory file`,
  memory_edit: ({ replace, text }) =>
    replace ? `Replace “${replace}” in the memory file by “${text}”` : `Add “${text}” to the memory file`,
  memory_report: ({ id, outcome }) => `Report of the memory ${id}: ${outcome}`,
  memory_preflight: ({ subject }) => `Ask whether “${subject}” is known already`,
  add_session_element: ({ kind, title }) => `Write into the work journal, as ${kind}: “${title}”`,
  record_lesson: ({ lesson }) => `Store the lesson “${lesson}” for later work`,
  list_journal_entries: ({ kinds }) => `Read the work journal: ${listed(kinds)}`,
  settle_journal_entry: ({ id, action }) => `Settle the entry ${id} of the work journal: ${action}`,
  todo_write: ({ todos }) => `Write the to-do list: ${listed(todos)}`,
  todo_read: () => 'Read the to-do list',
  artifact: ({ name }) => `Make the file ${name} and send it`,
  image: ({ prompt }) => `Make an image of “${prompt}”`,
  speak: ({ text }) => `Say “${text}” as a voice message`,
  schedule: ({ when, text }) => `Schedule “${text}” for ${when}`,
  spawn_agent: ({ template, task }) => `Start the agent ${template} with “${task}”`,
  wait_agents: ({ agents }) => (agents ? `Wait for the agents ${listed(agents)}` : 'Wait for the agents'),
  agent_result: ({ agent }) => `Read what the agent ${agent} found`,
  cancel_agent: ({ agent }) => `Stop the agent ${agent}`,
  skill_file: ({ skill, file }) => `Read ${file} of the skill ${skill}`,
};

/** A sentence, or undefined for a tool of someone else. @param {string} tool @param {unknown} args */
export function toolWords(tool, args) {
  if (typeof args !== 'object' || args === null || !Object.hasOwn(sentences, tool)) return undefined;
  return cut(sentences[/** @type {keyof typeof sentences} */ (tool)](args), long);
}

// The journal's tools: their names, what a model reads about each, and the operation that each is.
import type { ToolDefinition } from './tool.ts';

const allWords =
  'All words must occur, anywhere in it; mode "forms" also finds other forms of the words. Newest first.';

export const journalTools: readonly ToolDefinition[] = [
  {
    name: 'get_memory_bundle',
    title: 'Wake up',
    operation: 'bundle',
    effect: 'reads',
    description:
      'Everything that you need to start or continue work, in one call: build, latest session, all open threads, pending steps, recent decisions, key context, conversations, lessons, touchstones. Call it first in every session. depth: cold_start has every section, work what is needed to continue, brief the latest session and what is open. With an intent (what you are about to do) it also has matching gotcha lessons. left_out names the call that reads on.',
  },
  {
    name: 'close_session',
    title: 'Close the session',
    operation: 'closeSession',
    effect: 'adds once',
    description:
      'Stores what this session decided, left open, will do next and must not forget, in one transaction. Call it once, at the end. `inherited` must name every open thread and pending step of the bundle with action resolved, parked, dropped or carried_on (those that update_session_element settled may be left out); else it is refused, says which are missing, and writes nothing. `key` is an id of this session that you choose: the same call with the same key is stored once, so repeat it when an answer is lost.',
  },
  {
    name: 'add_session_element',
    title: 'Note a decision or an open thread',
    operation: 'noteElement',
    effect: 'adds',
    description:
      'Stores one decision, open thread, next step or key context at the moment that it happens, outside of a close.',
  },
  {
    name: 'update_session_element',
    title: 'Settle a thread or a step',
    operation: 'updateElement',
    effect: 'changes',
    fields: { id: 'element_id' },
    description:
      'Marks one open or parked thread or step as resolved, parked or dropped at the moment that it happens, or as carried_on: it is open then, and the close need not name it. note says why.',
  },
  {
    name: 'list_session_elements',
    title: 'List elements of sessions',
    operation: 'listElements',
    effect: 'reads',
    description:
      'Decisions, threads, steps or context of all sessions of an agent, newest first, by status where they have one.',
  },
  {
    name: 'list_sessions',
    title: 'List sessions',
    operation: 'listSessions',
    effect: 'reads',
    description: 'Sessions, or with kind conversations or builds, newest first, of one agent or of all.',
  },
  {
    name: 'list_projects',
    title: 'List projects',
    operation: 'listProjects',
    effect: 'reads',
    description: 'Every project with its agents and their sessions, the latest first; null is no project.',
  },
  {
    name: 'list_agents',
    title: 'List agents',
    operation: 'listAgents',
    effect: 'reads',
    description: 'Every agent with the projects that it works in.',
  },
  {
    name: 'search_sessions',
    title: 'Search sessions',
    operation: 'searchSessions',
    effect: 'reads',
    description: `Finds sessions by words in their summaries and elements. ${allWords} Then read one with get_session.`,
  },
  {
    name: 'get_session',
    title: 'Read a session',
    operation: 'getSession',
    effect: 'reads',
    fields: { id: 'lineage_id' },
    description:
      'One session with all its decisions, threads, steps, context and touchstones; a long one in pages.',
  },
  {
    name: 'record_lesson',
    title: 'Record a lesson',
    operation: 'recordLesson',
    effect: 'adds',
    description:
      'Stores a pattern or a gotcha (lesson_kind) for work of a kind (task_type), at the moment that you learn it. The agent "general" is for lessons that every agent should have.',
  },
  {
    name: 'deprecate_lesson',
    title: 'Deprecate a lesson',
    operation: 'deprecateLesson',
    effect: 'changes',
    fields: { id: 'lesson_id' },
    description:
      'Takes a lesson that no longer holds out of the bundle; name the lesson that holds now as successor_id.',
  },
  {
    name: 'get_lessons',
    title: 'Read lessons',
    operation: 'getLessons',
    effect: 'reads',
    description:
      'Lessons of an agent and of "general", by task_type and lesson_kind; status "deprecated" shows those that no longer hold.',
  },
  {
    name: 'record_touchstone',
    title: 'Record a touchstone',
    operation: 'recordTouchstone',
    effect: 'adds',
    description:
      'Stores a significant moment: what happened (fact), how it was (texture), why it matters, and its weight from 1 to 10.',
  },
  {
    name: 'link_touchstone',
    title: 'Link a touchstone to a session',
    operation: 'linkTouchstone',
    effect: 'changes',
    fields: { id: 'touchstone_id', lineageID: 'session_lineage' },
    description: 'Says in which session a touchstone happened.',
  },
  {
    name: 'get_touchstones',
    title: 'Read touchstones',
    operation: 'getTouchstones',
    effect: 'reads',
    description: 'Touchstones of an agent, newest first.',
  },
  {
    name: 'create_conversation',
    title: 'Begin a conversation',
    operation: 'createConversation',
    effect: 'adds',
    description:
      'Begins a discussion that is stored turn by turn: a design question, say. Add to it with add_conversation_entry.',
  },
  {
    name: 'add_conversation_entry',
    title: 'Add to a conversation',
    operation: 'addConversationEntry',
    effect: 'adds',
    fields: { id: 'conversation_id' },
    description: 'Appends one turn. Entries cannot be changed or removed: add another one that corrects it.',
  },
  {
    name: 'get_conversation',
    title: 'Read a conversation',
    operation: 'getConversation',
    effect: 'reads',
    fields: { id: 'conversation_id' },
    description: 'A conversation with a page of its entries, newest first.',
  },
  {
    name: 'search_conversations',
    title: 'Search conversations',
    operation: 'searchConversations',
    effect: 'reads',
    description: `Finds conversations by words in their title, topic and entries. ${allWords}`,
  },
  {
    name: 'put_build',
    title: 'Write the build record',
    operation: 'putBuild',
    effect: 'replaces',
    description:
      'Stores a build with its phases and their work slices; one of the same key is replaced as a whole.',
  },
  {
    name: 'get_build',
    title: 'Read a build record',
    operation: 'getBuild',
    effect: 'reads',
    fields: { id: 'build_id' },
    description: 'A build with its phases and slices, in their order.',
  },
  {
    name: 'search_t4',
    title: 'Search project artifacts',
    operation: 'searchT4',
    effect: 'reads',
    description: `Finds artifacts of projects by their words. ${allWords} Narrow it with project_slug.`,
  },
  {
    name: 'get_t4_entry',
    title: 'Read a project artifact',
    operation: 'getT4Entry',
    effect: 'reads',
    description: 'One artifact of a project, by its type and id.',
  },
  {
    name: 'put_t4_entry',
    title: 'Write a project artifact',
    operation: 'putT4Entry',
    effect: 'replaces',
    description:
      'Stores an artifact of a project; one of the same project, type and id is replaced, and its version counted.',
  },
  {
    name: 'forget_journal_entries',
    title: 'Forget entries of the journal',
    operation: 'forget',
    effect: 'removes',
    description:
      'Deletes entries permanently, with what belongs to them. Only where someone asks for it: what is done is settled, not forgotten.',
  },
];

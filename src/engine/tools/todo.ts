// The tools with which a model writes the to-do list of its session. Clients see it change as an event.
import { z } from 'zod';
import type { Sessions } from '#engine/sessions/sessions.ts';
import { todoList } from '#engine/wire/sessions/todo.ts';
import { type AnyTool, defineTool } from './registry.ts';

/** `todo_write` and `todo_read` over the sessions. */
export function createTodoTools(sessions: Pick<Sessions, 'todos' | 'setTodos'>): AnyTool[] {
  return [
    defineTool({
      name: 'todo_write',
      description:
        'Replaces the to-do list of this conversation. Use it for work of several steps, and again whenever a step begins or ends.',
      input: z.strictObject({ todos: todoList }),
      async run({ todos }, { asking }) {
        await sessions.setTodos(asking.sessionID, todos);
        return { result: { todos } };
      },
    }),
    defineTool({
      name: 'todo_read',
      description: 'Gives the to-do list of this conversation.',
      input: z.strictObject({}),
      run: async (_input, { asking }) => ({ result: { todos: await sessions.todos(asking.sessionID) } }),
    }),
  ];
}

// The tools with which a model writes the to-do list of its session. Clients see it change as an event.
import { z } from 'zod';
import type { Sessions } from '#engine/sessions/sessions.ts';
import { type TodoItem, todoList } from '#engine/wire/sessions/todo.ts';
import { type AnyTool, defineTool } from './definition/registry.ts';

/** Which runs of a session wrote in the memory of another agent; undefined where none did. */
export type ForeignRuns = (
  sessionID: string,
  partition: string | undefined,
) => ((runID: string) => boolean) | undefined;

/** `todo_write` and `todo_read` over the sessions. An agent reads nothing that an agent with another memory wrote. */
export function createTodoTools(
  sessions: Pick<Sessions, 'todos' | 'setTodos' | 'messages'>,
  foreignRuns: ForeignRuns,
): AnyTool[] {
  /** What the last call noted that was not made in one of these runs. */
  const withoutForeign = async (
    sessionID: string,
    isForeign: (runID: string) => boolean,
  ): Promise<TodoItem[]> => {
    const messages = await sessions.messages(sessionID, 'standing');
    const own = messages.filter(({ info }) => !isForeign(info.runID ?? ''));
    const parts = own.flatMap((message) => message.parts);
    const last = parts.findLast(
      (part) => part.type === 'tool' && part.tool === 'todo_write' && part.result !== undefined,
    );
    const { data } = z.object({ todos: todoList }).safeParse(last?.type === 'tool' ? last.result : undefined);
    return data?.todos ?? [];
  };
  return [
    defineTool({
      name: 'todo_write',
      idempotent: true,
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
      idempotent: true,
      description: 'Gives the to-do list of this conversation.',
      input: z.strictObject({}),
      async run(_input, { asking: { sessionID }, place }) {
        const isForeign = foreignRuns(sessionID, place.where.partition);
        const todos =
          isForeign === undefined ? sessions.todos(sessionID) : withoutForeign(sessionID, isForeign);
        return { result: { todos: await todos } };
      },
    }),
  ];
}

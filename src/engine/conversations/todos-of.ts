// The to-do list that belongs to the messages of a session: reverted, brought back and copied with them.
import { z } from 'zod';
import type { ConversationRows } from '#engine/sessions/sessions.ts';
import { type TodoItem, todoList } from '#engine/wire/sessions/todo.ts';

const written = z.object({ todos: todoList });

/**
 * The to-do list of the session once only `after` stand of the messages that stood before, or beside others: what their last `todo_write`
 * wrote. The list as it is where no such call comes or goes, so that what a client wrote stays.
 */
export function todosAfter(
  { parts, sessions }: Pick<ConversationRows, 'parts' | 'sessions'>,
  sessionID: string,
  { before, after }: { before: readonly string[]; after: readonly string[] },
): TodoItem[] {
  const writes = (ids: readonly string[]): TodoItem[][] => {
    const found = parts.ofMessages(ids);
    return ids.flatMap((id) =>
      (found.get(id) ?? []).flatMap((part) => {
        if (part.type !== 'tool' || part.tool !== 'todo_write' || part.state !== 'completed') return [];
        const { data } = written.safeParse(part.result);
        return data === undefined ? [] : [data.todos];
      }),
    );
  };
  const [stood, stands] = [new Set(before), new Set(after)];
  const changed = [...before.filter((id) => !stands.has(id)), ...after.filter((id) => !stood.has(id))];
  return writes(changed).length === 0 ? sessions.todos(sessionID) : (writes(after).at(-1) ?? []);
}

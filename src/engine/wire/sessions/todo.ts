// The to-do list of a session: what the assistant or a client noted that is still to be done. Shapes only.
import { z } from 'zod';

const todoItem = z.object({
  id: z.string().min(1).max(100),
  content: z.string().min(1).max(1_000),
  status: z.enum(['pending', 'in_progress', 'completed', 'cancelled']),
});
export type TodoItem = z.infer<typeof todoItem>;

export const todoList = z.array(todoItem).max(100);

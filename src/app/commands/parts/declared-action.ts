// The code of an action that the command line declares.

/** The entry of an action, which the command line has let pass; throws where one is declared that has no code. */
export function declaredAction<T>(actions: Readonly<Record<string, T>>, name: string): T {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw new Error(`the action ${name} is declared and has no code`);
  return action;
}

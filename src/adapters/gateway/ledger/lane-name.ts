// The names of lanes: an address, `#` and the person where each has a separate conversation, `@` and the assistant that answers. Pure.

/** Lanes of the same place and person have the same base: all that is in a name but the assistant. */
export function baseOf(lane: string): string {
  return lane.replace(/@.*$/, '');
}

/** The canonical address that a lane begins with. */
export function addressIn(lane: string): string {
  return lane.replace(/[#@].*$/, '');
}

/** The assistant that answers in a lane; undefined for the usual one. */
export function assistantIn(lane: string): string | undefined {
  const [, name] = /@(.*)$/.exec(lane) ?? [];
  return name === undefined ? undefined : decodeURIComponent(name);
}

/** SQL for the end of a lane's name that says which assistant answers there; empty for the usual one. */
export const assistantSql = (lane: string): string =>
  `iif(instr(${lane}, '@') = 0, '', substr(${lane}, instr(${lane}, '@')))`;

/** That end of a name. */
export const assistantEnd = (assistant: string | undefined): string => withAssistant('', assistant);

/** The lane in which this assistant answers, of the same place and person; the usual one when absent. */
export function withAssistant(lane: string, assistant: string | undefined): string {
  return assistant === undefined ? baseOf(lane) : `${baseOf(lane)}@${encodeURIComponent(assistant)}`;
}

/** The lane of the room of a thread, of the same person where each has their own; the same lane for one that is in no thread. */
export function roomLaneOf(lane: string): string {
  return lane.replace(/:[^:#@]*([#@].*)?$/, ':-$1');
}

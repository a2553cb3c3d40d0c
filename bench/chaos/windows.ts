// What a kill can interrupt, by name.

/** What a kill can fall into; one kill can fall into several. */
export const windows = [
  'while starting',
  'accepted, not begun',
  'accepted, not confirmed',
  'run in progress',
  'preview in progress',
  'send begun, no effect yet',
  'sent, no receipt',
  'received, not archived',
  'nothing in progress',
] as const;
export type Window = (typeof windows)[number];

/** What the promise is about; a long run has to fall into each of these. */
export const named: readonly Window[] = [
  'accepted, not confirmed',
  'sent, no receipt',
  'received, not archived',
];

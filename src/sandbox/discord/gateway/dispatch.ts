// One event of the gateway: its name and its data.

export interface Dispatch {
  t: string;
  d: object;
}

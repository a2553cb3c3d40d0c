// The gateway's sessions: their sequence numbers, the events kept for a resume, the socket that each has now.
import { randomBytes } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { World, WorldEvent } from '#sandbox/discord/world/world.ts';
import { sendBounded } from '#sandbox/loopback.ts';
import type { Dispatch } from './dispatch.ts';
import { dispatchOf } from './dispatches.ts';
import { hearsOf, type ShardPair } from './sharding.ts';

/** How many events a session holds for a resume, and how many sessions there are at most; older ones cannot be resumed. */
const maxEvents = 1000;
const maxSessions = 64;
/** Closing with these "will invalidate your session" ("Disconnecting"). */
const endCodes = [1000, 1001];

export const op = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  presence: 3,
  voice: 4,
  resume: 6,
  reconnect: 7,
  members: 8,
  invalid: 9,
  hello: 10,
  ack: 11,
} as const;

interface Session {
  id: string;
  intents: number;
  shard: ShardPair;
  seq: number;
  events: { seq: number; dispatch: Dispatch }[];
  socket: WebSocket | undefined;
}

interface GatewaySessions {
  open(socket: WebSocket, identified: Pick<Session, 'intents' | 'shard'>): Session;
  /** Gives the session to this socket and replays what came after `seq`; otherwise says why not. */
  resume(socket: WebSocket, from: { id: string; seq: number }): 'resumed' | 'unknown' | 'ahead';
  /** Numbers the event, stores it, and sends it if the session has a socket. */
  dispatch(session: Session, event: Dispatch): void;
  /** Sends it to every session that is to hear it. */
  notify(happening: WorldEvent): void;
  of(socket: WebSocket): Session | undefined;
  /** The socket was closed with this code: the session waits for a resume, or is over when the client ended it. */
  leave(socket: WebSocket, code: number): void;
  /** The sockets of all sessions, or of one shard's. */
  sockets(shard?: number): WebSocket[];
  forget(): void;
}

/** Sends a gateway payload if the socket is still open. */
export function sendPayload(
  socket: WebSocket,
  payload: { op: number; d: unknown; s?: number; t?: string },
): void {
  sendBounded(socket, JSON.stringify({ s: null, t: null, ...payload }));
}

export function createGatewaySessions(world: World): GatewaySessions {
  let sessions: Session[] = [];
  const of = (socket: WebSocket) => sessions.find((session) => session.socket === socket);
  const dispatch = (session: Session, event: Dispatch): void => {
    session.seq += 1;
    session.events.push({ seq: session.seq, dispatch: event });
    if (session.events.length > maxEvents) session.events.shift();
    if (session.socket !== undefined)
      sendPayload(session.socket, { op: op.dispatch, s: session.seq, ...event });
  };
  return {
    of,
    dispatch,
    open(socket, identified) {
      const id = randomBytes(16).toString('hex');
      const session: Session = { id, ...identified, seq: 0, events: [], socket };
      sessions = [...sessions, session].slice(-maxSessions);
      return session;
    },
    resume(socket, from) {
      const session = sessions.find(({ id }) => id === from.id);
      if (session === undefined || from.seq < (session.events[0]?.seq ?? 1) - 1) return 'unknown';
      if (from.seq > session.seq) return 'ahead';
      session.socket?.terminate();
      session.socket = socket;
      for (const { seq, dispatch: event } of session.events)
        if (seq > from.seq) sendPayload(socket, { op: op.dispatch, s: seq, ...event });
      dispatch(session, { t: 'RESUMED', d: {} });
      return 'resumed';
    },
    notify(happening) {
      for (const session of sessions) {
        if (!hearsOf(world, happening, session.shard)) continue;
        const event = dispatchOf(world, happening, session.intents);
        if (event !== undefined) dispatch(session, event);
      }
    },
    leave(socket, code) {
      const session = of(socket);
      if (session !== undefined) session.socket = undefined;
      if (endCodes.includes(code)) sessions = sessions.filter((other) => other !== session);
    },
    sockets: (of) =>
      sessions.flatMap(({ socket, shard: [id] }) =>
        socket === undefined || (of !== undefined && of !== id) ? [] : [socket],
      ),
    forget() {
      sessions = [];
    },
  };
}

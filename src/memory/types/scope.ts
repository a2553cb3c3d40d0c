// Who may read what: where a thing was written, and who asks from where. The one predicate over both lives in the store.
/**
 * How careful one must be with it: `public` may be read wherever its audience reaches, `private` in its audience only, `sensitive` as
 * private and never unasked.
 */
export const sensitivities = ['public', 'private', 'sensitive'] as const;

export type Sensitivity = (typeof sensitivities)[number];

/** How far an exchange of a public room reaches: its room, its space (guild, workspace, group), or everyone. */
export type Sharing = 'room' | 'space' | 'everyone';

/** The place that owns a memory: a person (direct messages) or a room, by its canonical key. */
export type Audience = `person:${string}` | `room:${string}`;

/** How far inside its audience a memory reaches: its session, its project, or all that the audience does. */
export const tiers = ['session', 'project', 'global'] as const;
export type Tier = (typeof tiers)[number];

/** Who may read a room now, whatever held when something was written there. */
export interface RoomState {
  audience: Audience;
  /** True while not everyone of its space may read it. */
  restricted: boolean;
}

/** Where something was written, stored with every chunk; facts, not a decision, so that a changed `sharing` applies to old rows. */
export interface Provenance {
  audience: Audience;
  /** The guild, workspace or group of a room, as `platform:account:space`. */
  space?: string | undefined;
  /** True for direct messages and private rooms: never shared beyond the audience itself. */
  restricted: boolean;
  /** The only agent under which it is found; absent for what all agents with shared memory find. */
  partition?: string | undefined;
}

/** What a reader may see. Made by the engine from who asks and where; never by a model, never by default. */
export interface Scope {
  /** Places whose memory may be read: all of it, or what was written after the time that `since` gives. */
  audiences: readonly Audience[];
  /** For some of the audiences a time in milliseconds since the epoch: only what was written after it may be read. */
  since?: Readonly<Record<Audience, number>> | undefined;
  /** Spaces whose unrestricted memory may be read. */
  spaces: readonly string[];
  /** Unrestricted memory of every space. */
  everyone: boolean;
  /**
   * The session that asks, with its project: of the session tier only its own is read then, and of the project tier only that of its
   * project. Without a session it is an owner's look, which reads all tiers.
   */
  sessionID?: string | undefined;
  projectID?: string | undefined;
  /** The agent whose own memory is read, and no other; absent: what no agent has for itself. */
  partition?: string | undefined;
  /** True for the owner's look, which reads the memory of every agent. */
  everyPartition?: boolean | undefined;
  /** Only these tiers; all of them when absent. */
  tiers?: readonly Tier[] | undefined;
}

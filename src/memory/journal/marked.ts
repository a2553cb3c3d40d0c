// Lessons and decisions of the journal as memory gives records that have a key, a tag, a kind or a pin: what was deprecated is found no more.
import type { Work } from '#base/sql/work.ts';
import { type JournalLine, journalPlatform } from '#memory/types/journal.ts';
import { projectForm } from '#memory/types/project-form.ts';
import { type MarkedEntry, type MarkedKind, type MarkedQuery, markedKinds } from '#memory/types/record.ts';
import { plainWords } from '#memory/words/tokens.ts';
import type { JournalLists } from './newest.ts';

/** More of them than this are looked through only for words. */
const maxLooked = 10_000;
/** As of a search for records. */
export const usualFound = 8;

/** Newest first; none for a query that names neither key, tag, kind nor pin, or something that only records have. */
export function* markedEntries(lists: Pick<JournalLists, 'newest'>, query: MarkedQuery): Work<MarkedEntry[]> {
  const { scope, key, tag, kind, pinned, projectID, besideProject, limit = usualFound } = query;
  const words = query.words ?? query.text;
  const { channelTag, hostTag, userID } = query;
  const kinds = markedKinds.filter((each) => kind === undefined || each === kind);
  const isNamed = (key ?? tag ?? kind) !== undefined || pinned === true;
  if (!isNamed || kinds.length === 0 || (channelTag ?? hostTag ?? userID) !== undefined) return [];
  const sought = plainWords(words ?? '');
  const isBeside = (of: string | null): boolean =>
    of === null || (projectID !== undefined && projectForm(of) === projectForm(projectID));
  const lines = yield* lists.newest({
    ...{ scope, kinds, key, tag, pinned: pinned === true ? true : undefined },
    projectID: besideProject === true ? undefined : projectID,
    limit: words === undefined ? limit : maxLooked,
    isHeld: true,
  });
  return lines
    .filter((line) => besideProject !== true || isBeside(line.projectID))
    .filter(({ title, text }) => {
      const held = new Set(plainWords(`${title} ${text}`));
      return sought.every((word) => held.has(word));
    })
    .slice(0, limit)
    .map(asRecord);
}

function asRecord(line: JournalLine): MarkedEntry {
  const { id, kind, title, text, key, tags, pinned, agentID, projectID, audience, createdAt: at } = line;
  const said =
    kind === 'lesson' || text === '' ? [title, text].filter(Boolean).join(': ') : `${title}: ${text}`;
  return {
    ...{ id, lineageID: id, version: 1, state: 'active', kind: kind as MarkedKind, text: said },
    ...{ key: key ?? undefined, tags, pinned, tier: 'global', audience, space: undefined },
    ...{ visibility: 'private', sensitivity: 'private', confidence: 1, userID: agentID, agent: agentID },
    ...{ platform: journalPlatform, chat: `${journalPlatform}:${agentID}`, sessionID: '', runID: '' },
    ...{ projectID: projectID ?? undefined, channelTag: undefined, hostTag: undefined },
    ...{
      at,
      updatedAt: at,
      expiresAt: undefined,
      demoted: false,
      reason: undefined,
      redactions: 0,
      score: 0,
    },
    ...{ messageIDs: [], evidence: [], artifactRefs: [], metadata: {} },
  };
}

// What the process with the channels answers, in the typed client: people, tokens, deliveries, channels.
import type { ChannelEntry } from '#engine/wire/channels/channel-report.ts';
import type {
  AccountAdmission,
  Approval,
  Approved,
  BlockedEntry,
  ForgetStored,
  NewToken,
  PairingEntry,
  PeopleList,
  PersonEntry,
  RoleChange,
  StoredForgotten,
  TokenEntry,
  TokenMade,
  UndeliveredList,
  WayOfRun,
} from '#engine/wire/channels/channel-service.ts';
import type { Verbs } from './request.ts';

/** `people`, `tokens`, `deliveries` and `channels` of the client; where the channels run apart, of a client with their address. */
export function channelCalls({ get, post, json }: Verbs) {
  const at = (name: string, rest = ''): string => `/people/${encodeURIComponent(name)}${rest}`;
  return {
    people: {
      list: () => get<PeopleList>('/people'),
      get: (name: string) => get<PersonEntry>(at(name)),
      /** Admits the person who has the code. */
      approve: (as: Approval) => post<Approved>('/people/approve', as),
      /** Admits an account that wrote to the bot and belongs to nobody. */
      admit: (as: AccountAdmission) => post<PersonEntry>('/people/admit', as),
      deny: (code: string) => post<PairingEntry>('/people/deny', { code }),
      /** Answers an account (`platform:id`) that belongs to nobody nothing any more. */
      block: (account: string) => post<BlockedEntry>('/people/block', { account }),
      unblock: (account: string) => post<BlockedEntry>('/people/unblock', { account }),
      setRole: (name: string, role: RoleChange['role']) =>
        json<PersonEntry>(at(name), { method: 'PATCH', body: { role } }),
      remove: (name: string) => json<{ ok: true }>(at(name), { method: 'DELETE' }),
      /** Takes one account (`platform:id`) away from a person. */
      removeAccount: (name: string, account: string) =>
        json<{ ok: true }>(at(name, `/accounts/${encodeURIComponent(account)}`), { method: 'DELETE' }),
    },
    tokens: {
      list: () => get<TokenEntry[]>('/tokens'),
      /** Of a person or of an agent; the secret is shown this once. */
      create: (of: NewToken) => post<TokenMade>('/tokens', of),
      revoke: (id: string) => json<TokenEntry>(`/tokens/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    },
    deliveries: {
      /** The way of the messages that a run answered. */
      ofRun: (runID: string) => get<WayOfRun>(`/delivery/runs/${encodeURIComponent(runID)}`),
      /** Answers that are not in their chats. */
      waiting: async () => (await get<UndeliveredList>('/delivery/waiting')).deliveries,
      /** Sends what is missing of an answer that could not be delivered; resolves before it is there. */
      retry: (id: string) => post<{ ok: true }>(`/delivery/${encodeURIComponent(id)}/retry`),
      /** Leaves an answer that is not in its chat: nothing more of it is sent, and it is not listed any more. */
      dismiss: (id: string) => post<{ ok: true }>(`/delivery/${encodeURIComponent(id)}/dismiss`),
    },
    channels: {
      status: () => get<Record<string, ChannelEntry>>('/channels/status'),
      /** Counts what inbox and outbox store of persons or chats, or deletes it permanently. */
      forget: (request: ForgetStored) => post<StoredForgotten>('/ledger/forget', request, { timedOut: true }),
    },
  };
}

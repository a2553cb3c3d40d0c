// Where a platform's files may be fetched from: its own file servers. Not fetching.
import { ParleyError } from '#base/errors.ts';

/** The servers of one platform's files. */
interface FileHosts {
  /** How people call the platform. */
  platform: string;
  /** Names of hosts; a name that begins with a dot stands for all below it. */
  hosts: readonly string[];
  /** The platform's interface, where that is another server than usual: its files may come from there too. */
  apiUrl?: string | undefined;
}

/**
 * The address, if it is on one of the platform's file servers and encrypted; a ParleyError `file_unavailable` for any other, such as one of
 * this machine or its network. Fetch it without following redirects: those lead anywhere.
 */
export function fileUrlOf(address: string, { platform, hosts, apiUrl }: FileHosts): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isListed = hosts.some((host) =>
    host.startsWith('.') ? url?.hostname.endsWith(host) : url?.hostname === host,
  );
  const isTheirs = isListed && url?.protocol === 'https:' && url.port === '' && url.username === '';
  const isOwn = apiUrl !== undefined && url?.origin === new URL(apiUrl).origin;
  if (url !== undefined && (isTheirs || isOwn)) return url;
  throw new ParleyError(
    'file_unavailable',
    `The file is not on a server of ${platform}: its link leads to ${url?.host ?? 'no server'}.`,
    { hint: 'Upload the file to the chat itself.' },
  );
}

/** Whether an answer of a file server says that the file may be there another time; a redirect, which is not followed, does too. */
export function isPassing(status: number): boolean {
  return status >= 500 || status === 429 || (status >= 300 && status < 400);
}

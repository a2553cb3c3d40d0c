// The status of tokens and calls over MCP, as text for `parley status` and the doctor.
import { counted } from '#base/text.ts';
import type { McpStanding } from '#engine/wire/operator/mcp-standing.ts';

/** The line on MCP in a status; undefined when there are no tokens and no calls. */
export function mcpLine(
  { valid, requests, refused, failed }: McpStanding,
  used: string | undefined,
): string | undefined {
  if (valid + requests + refused === 0) return undefined;
  const since = used === undefined ? '' : `, last used ${used}`;
  const more = [
    ...(refused === 0 ? [] : [`${refused} refused`]),
    ...(failed === 0 ? [] : [`${failed} failed`]),
  ];
  return `${counted(valid, 'token')}${since}; ${counted(requests, 'request')}${more.map((each) => `, ${each}`).join('')}`;
}

/** Problems of MCP tokens and servers, each with a hint. */
export function mcpProblems({
  expiring,
  expired,
  unusable,
  failed,
}: McpStanding): { what: string; hint: string }[] {
  const list = '"parley token list" shows them; "parley token create" makes one.';
  return [
    ...(expiring === 0
      ? []
      : [{ what: `${counted(expiring, 'token')} for MCP will expire within 7 days.`, hint: list }]),
    ...(expired === 0
      ? []
      : [
          {
            what: `${counted(expired, 'token')} for MCP expired in the last 30 days.`,
            hint: `${list} Revoke those that nobody needs.`,
          },
        ]),
    ...(unusable === 0
      ? []
      : [
          {
            what: `${counted(unusable, 'token')} for MCP of persons who are not admitted any more, or have no account.`,
            hint: 'Admit the person again, or revoke the token: "parley token list".',
          },
        ]),
    ...(failed === 0
      ? []
      : [
          {
            what: `${counted(failed, 'call')} over MCP failed since the start.`,
            hint: 'The log has each, under the reference that its client got.',
          },
        ]),
  ];
}

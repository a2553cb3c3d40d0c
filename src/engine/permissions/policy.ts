// Whether a tool may be used where: allow, ask or deny, by name or pattern. Pure; what people allowed permanently is in permissions.ts.

import { matchesTool } from '#engine/wire/runs/tool-names.ts';

export { matchesTool };

export type ToolPolicy = 'allow' | 'ask' | 'deny';

/** A tool's name, or one with `*` for any run of characters, and what holds for it. */
type PolicyRules = Readonly<Record<string, ToolPolicy>>;

export interface Policy {
  /** Everywhere. */
  tools: PolicyRules;
  /** By platform; an entry here goes before `tools`. */
  channels: Readonly<Record<string, PolicyRules>>;
}

/**
 * What holds for the tool on this platform (undefined for the program interface). A channel's rules go before the
 * general ones; among those that match, a full name before a pattern, and a longer pattern before a shorter one.
 */
export function verdictOf(
  policy: Policy,
  tool: string,
  at: { platform: string | undefined; otherwise: ToolPolicy },
): ToolPolicy {
  const own = at.platform === undefined ? undefined : policy.channels[at.platform];
  return nearest(own ?? {}, tool) ?? nearest(policy.tools, tool) ?? at.otherwise;
}

function nearest(rules: PolicyRules, tool: string): ToolPolicy | undefined {
  if (Object.hasOwn(rules, tool)) return rules[tool];
  const [best] = Object.entries(rules)
    .filter(([pattern]) => matchesTool(pattern, tool))
    .sort(([a], [b]) => b.length - a.length);
  return best?.[1];
}

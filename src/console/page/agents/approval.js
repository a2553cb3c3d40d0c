// An agent that waits until a person lets it start: what it would do, why, and the two decisions.
// @ts-check
import { api } from '#console/page/data/api.js';
import { cut } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { Badge, Button, Time } from '#console/page/parts/ui.js';

/** @import { SpawnApproval } from '#engine/wire/teams/team.ts' */

/**
 * @param {{ approval: SpawnApproval, settle: (answer: Promise<unknown>) => Promise<void> }} props `settle` waits for the decision, and shows
 * what came before it.
 */
export function Approval({
  approval: { approvalID, templateID, task, justification, requestedAtMs, expiresAtMs },
  settle,
}) {
  const decide = (/** @type {'approve' | 'deny'} */ how) => () =>
    settle(
      api(`/agent-team/approvals/spawn/${encodeURIComponent(approvalID)}/${how}`, {
        method: 'POST',
        body: {},
      }),
    );
  return html`<li class="card"><p class="card-title"><${Badge} tone="warn">Agent</${Badge}> <span>Start <b>${templateID}</b></span></p>
    <p dir="auto">${cut(task, 400)}</p>${justification && justification !== task && html`<p class="muted small" dir="auto">${cut(justification, 400)}</p>`}
    <p class="muted small">requested <${Time} ms=${requestedAtMs} />, expires <${Time} ms=${expiresAtMs} /></p>
    <p class="actions left"><${Button} writes kind="primary" onPress=${decide('approve')}>Start it</${Button}><${Button} writes onPress=${decide('deny')}>Do not start it</${Button}></p></li>`;
}

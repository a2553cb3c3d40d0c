// Settings: the configuration, who is signed in, tokens, the log, backups, versions.
// @ts-check
import { me, signOut } from '#console/page/data/api.js';
import { html } from '#console/page/parts/html.js';
import { addressOf, Link, route } from '#console/page/parts/router.js';
import { Button, Facts, Head, Section, Tabs, Time } from '#console/page/parts/ui.js';
import { Backups } from './backup.js';
import { Configuration } from './config.js';
import { Log } from './log.js';
import { SignIns } from './sign-ins.js';
import { Tokens } from './tokens.js';

const views = /** @type {const} */ ([
  ['config', 'Configuration', Configuration],
  ['sign-ins', 'Sign-ins', SignIns],
  ['tokens', 'Tokens', Tokens],
  ['log', 'Log', Log],
  ['backup', 'Backup', Backups],
]);

export function SettingsPage() {
  const owner = me.value?.role === 'owner';
  const name = route.value.pieces[1] ?? 'config';
  const View = views.find(([each]) => each === name)?.[2] ?? Configuration;
  return html`<${Head} title="Settings" note=${`Version ${me.value?.version ?? ''}`}><${Button} icon="out" onPress=${signOut}>Sign out</${Button}></${Head}>
    ${
      owner
        ? html`<${Tabs} label="Views of settings">${views.map(([each, title]) => html`<${Link} key=${each} to=${addressOf(['settings', each])} current=${each === name}>${title}</${Link}>`)}</${Tabs}><${View} key=${`${name} ${route.value.query.get('key') ?? ''}`} />`
        : html`<${Section} title="This browser"><div class="card"><${Facts} rows=${[
            ['Signed in as', `${me.value?.name ?? ''}, viewer`],
            ['Until', html`<${Time} ms=${me.value?.expiresAtMs} />`],
            [
              'You see',
              'The status, and conversations and runs of rooms that everyone of their space may open',
            ],
          ]} /></div></${Section}>`
    }`;
}

// Commands that install the agent on a machine at the site, with its token.
import type { MessageKey } from '../i18n/message-key.ts';

export interface InstallStep {
  /** What the command does. */
  title: MessageKey;
  command: string;
}

const tokenFile = 'yagura-agent.token';

/** For a POSIX shell. The token is in none of the agent's own arguments, which other users could read. */
export function installSteps({
  origin,
  token,
  version,
}: {
  origin: string;
  token: string;
  version: string;
}): InstallStep[] {
  return [
    { title: 'ksocket.install.package', command: `npm install --global yagura-agent-${version}.tgz` },
    {
      title: 'ksocket.install.token',
      command: `(umask 077 && printf '%s\\n' '${token}' > ${tokenFile})`,
    },
    {
      title: 'ksocket.install.setup',
      command: `yagura-agent setup --url ${origin} --token-file ${tokenFile}`,
    },
    { title: 'ksocket.install.run', command: 'yagura-agent run' },
  ];
}

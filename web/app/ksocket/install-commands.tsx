// The commands that install the agent, each with a button that copies it.
import { installSteps } from '@yagura/core/ksocket/install-commands';
import { Panel } from '../ui/page/panel.tsx';
import { CopyButton } from '../ui/text/copy-id.tsx';
import { useTranslation } from '../ui/translation.tsx';

export function InstallCommands(props: { origin: string; token: string; version: string }) {
  const { t } = useTranslation();
  return (
    <Panel title={t('ksocket.install.title')} padded>
      <p className="mb-3 text-sm text-muted">{t('ksocket.install.intro')}</p>
      <ol className="space-y-3">
        {installSteps(props).map(({ title, command }) => (
          <li key={title}>
            <p className="mb-1 text-sm">{t(title)}</p>
            <div className="flex items-center gap-2 rounded-md border border-line bg-surface-sunken px-3 py-2">
              <code className="min-w-0 flex-1 font-mono text-sm break-all">{command}</code>
              <CopyButton text={command} label={t('verb.copy')} />
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

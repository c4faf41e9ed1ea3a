// Shows who is in a session and who has control, and hands it over.
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import type { SessionController, SessionState } from './session-controller.ts';

export function ViewersBar({ controller, state }: { controller: SessionController; state: SessionState }) {
  const { t } = useTranslation();
  const { viewers, viewerId, hasControl } = state;
  const own = viewers.find((viewer) => viewer.viewerId === viewerId);
  if (!own) return null;
  const requesting = viewers.filter(({ wantsControl }) => wantsControl);
  return (
    <section
      aria-label={t('terminal.viewers')}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-4 py-1 text-xs"
    >
      <ul className="flex min-w-0 flex-1 flex-wrap gap-x-3 gap-y-1">
        {viewers.map((viewer) => (
          <li key={viewer.viewerId} className="flex min-w-0 items-center gap-1">
            <Icon name={viewer.mode === 'control' ? 'edit' : 'user'} size={13} />
            <span className="truncate">
              {viewer === own ? t('terminal.you', { name: viewer.displayName }) : viewer.displayName}
            </span>
            {viewer.mode === 'control' && <span className="text-muted">{t('terminal.has-control')}</span>}
            {viewer.wantsControl && <span className="text-muted">{t('terminal.wants-control')}</span>}
          </li>
        ))}
      </ul>
      {hasControl &&
        requesting.map(({ viewerId: to, displayName }) => (
          <Button key={to} size="small" variant="primary" onClick={() => controller.giveControl(to)}>
            {t('terminal.give', { name: displayName })}
          </Button>
        ))}
      {hasControl && viewers.length > 1 && (
        <Button size="small" onClick={() => controller.giveControl(null)}>
          {t('terminal.release')}
        </Button>
      )}
      {!hasControl && (
        <Button size="small" disabled={own.wantsControl} onClick={() => controller.requestControl()}>
          {t(own.wantsControl ? 'terminal.requested' : 'terminal.request')}
        </Button>
      )}
    </section>
  );
}

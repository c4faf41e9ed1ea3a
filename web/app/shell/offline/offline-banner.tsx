// Banner shown while the server is unreachable and the page may be outdated.
import { useEffect, useState } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { onConnectionChange } from './watch-connection.ts';

export function OfflineBanner() {
  const { t } = useTranslation();
  const [isOffline, setIsOffline] = useState(false);
  useEffect(() => onConnectionChange(setIsOffline), []);
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-2 top-14 z-40 flex justify-center print:hidden"
    >
      {isOffline && (
        <p className="flex max-w-[580px] items-start gap-2 rounded-lg bg-warning-bg px-4 py-2 text-sm text-warning-fg shadow-float">
          <Icon name="warning" className="mt-0.5" />
          {t('shell.away')}
        </p>
      )}
    </div>
  );
}

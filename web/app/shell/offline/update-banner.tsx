// Offers a reload when the server has a newer version.
import { Button } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { useNewerVersion } from './use-newer-version.ts';

export function UpdateBanner() {
  const { t } = useTranslation();
  const activateUpdate = useNewerVersion();
  return (
    <div role="status" className="print:hidden">
      {activateUpdate && (
        <div className="mb-4 flex flex-wrap items-center gap-3 rounded-md bg-info-bg px-3 py-2 text-sm text-info-fg">
          {t('shell.newer')}
          <Button size="small" icon="refresh" onClick={activateUpdate}>
            {t('verb.reload')}
          </Button>
        </div>
      )}
    </div>
  );
}

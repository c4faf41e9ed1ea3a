// Link that downloads an export's file through a console route, so that the page needs no API token.
import { useTranslation } from '../../ui/translation.tsx';

export function DownloadLink({ kind, exportId }: { kind: string; exportId: string }) {
  const { t } = useTranslation();
  return (
    <a
      href={`/apps/alerthub/tools/${kind}/exports/${exportId}/file`}
      download
      className="relative z-1 inline-flex min-h-6 items-center text-primary hover:underline"
    >
      {t('bulk.download')}
    </a>
  );
}

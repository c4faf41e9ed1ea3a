// Retention settings on a page that shows more.
import { formatNoun } from '../../shell/navigation/crumb.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { InfoTable } from '../../ui/table/info-table.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import type { retentionData } from './retention-data.server.ts';
import { isDaysField, useRetentionTexts } from './retention-texts.ts';

type RetentionData = NonNullable<Awaited<ReturnType<typeof retentionData>>>;

export function RetentionPanel({ retention }: { retention: RetentionData }) {
  const { t, language } = useTranslation();
  const { name: resource, noun, item, fields, editHref } = retention;
  const { about } = useRetentionTexts(resource);
  const name = formatNoun(noun, language, 'one');
  return (
    <Panel
      title={name}
      actions={
        editHref && (
          <LinkButton to={editHref} size="small" icon="edit">
            {t('verb.edit')}
          </LinkButton>
        )
      }
    >
      <p className="px-4 pt-3 text-sm text-muted">{about}</p>
      <div className="px-4 py-2">
        <InfoTable
          caption={name}
          rows={Object.entries(fields).map(([field, meta]) => ({
            ...{ name: field, meta, value: item[field] },
            ...(isDaysField(field) && item[field] === null ? { children: t('retention.for-ever') } : {}),
          }))}
        />
      </div>
    </Panel>
  );
}

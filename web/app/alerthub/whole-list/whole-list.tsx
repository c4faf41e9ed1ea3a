// List that replaces the overview of its item, with a way back.
import type { ReactNode } from 'react';
import type { ListData } from '../../resource/list/list-data.server.ts';
import { ResourceTable } from '../../resource/list/list-screen.tsx';
import { formatNoun } from '../../shell/navigation/crumb.ts';
import { LinkButton } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/translation.tsx';

export function WholeList({ data, empty }: { data: ListData; empty: ReactNode }) {
  const { t, language } = useTranslation();
  const name = formatNoun(data.meta.noun, language, 'many');
  return (
    <>
      <div className="mb-3 flex items-center gap-2">
        <LinkButton
          to="?"
          variant="quiet"
          size="small"
          icon="back"
          aria-label={`${t('verb.back')}: ${t('page.overview')}`}
          title={t('verb.back')}
        />
        <h2 className="text-lg font-semibold">{name}</h2>
      </div>
      <ResourceTable data={data} caption={name} empty={empty} />
    </>
  );
}

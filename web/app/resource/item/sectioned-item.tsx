// Page of an item with sections: its header and the section in the URL.
import { Outlet } from '@remix-run/react';
import type { ReactNode } from 'react';
import { formatNoun } from '../../shell/navigation/crumb.ts';
import { Tabs } from '../../ui/page/tabs.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { ItemHeader } from './item-screen.tsx';
import type { sectionsData } from './sections.server.ts';

export function SectionedItem({
  data,
  actions,
  notice,
}: {
  data: Awaited<ReturnType<typeof sectionsData>>;
  /** Buttons in the header. */
  actions?: ReactNode;
  /** Above the sections. */
  notice?: ReactNode;
}) {
  const { t, language } = useTranslation();
  return (
    <>
      <ItemHeader data={data} actions={actions} />
      {notice}
      <Tabs
        tabs={[
          { to: data.base, label: t('page.overview'), end: true },
          ...data.sections.map(({ to, noun, one }) => ({
            to,
            label: formatNoun(noun, language, one ? 'one' : 'many'),
            end: true,
          })),
        ]}
      />
      <div className="pt-4">
        <Outlet />
      </div>
    </>
  );
}

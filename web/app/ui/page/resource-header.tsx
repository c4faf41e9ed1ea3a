// Header of an item's page: back link, title, copyable id, collapsible remarks and actions.
import type { ReactNode } from 'react';
import { LinkButton } from '../button.tsx';
import { Icon } from '../icon.tsx';
import { Menu, type MenuItem } from '../overlay/menu.tsx';
import { CopyId } from '../text/copy-id.tsx';
import { useTranslation } from '../translation.tsx';
import { lastListView } from './list-view.ts';

/** Absent handlers and URLs hide their entries; copying is hidden unless `copyHref` is given. */
export function ResourceHeader(props: {
  title: string;
  /** Heading level; the page's main heading if absent. */
  level?: 1 | 3;
  backHref?: string;
  /** Text before the title, e.g. the resource name. */
  kind?: string;
  id?: string;
  remarks?: string | null;
  /** Next to the title, e.g. a status badge. */
  badge?: ReactNode;
  editHref?: string;
  copyHref?: string;
  onDelete?: () => void;
  /** Additional menu entries. */
  items?: MenuItem[];
  actions?: ReactNode;
}) {
  const { t } = useTranslation();
  const Heading = props.level === 3 ? 'h3' : 'h1';
  const items: MenuItem[] = [
    ...(props.editHref ? [{ label: t('verb.edit'), icon: 'edit' as const, href: props.editHref }] : []),
    ...(props.copyHref ? [{ label: t('verb.copy'), icon: 'copy' as const, href: props.copyHref }] : []),
    ...(props.items ?? []),
    ...(props.onDelete
      ? [{ label: t('verb.delete'), icon: 'trash' as const, danger: true, onSelect: props.onDelete }]
      : []),
  ];
  return (
    <header className="mb-3 grid grid-cols-1 gap-1">
      <div className="flex flex-wrap items-start gap-2">
        {props.backHref && (
          <LinkButton
            to={lastListView(props.backHref)}
            variant="quiet"
            size="small"
            icon="back"
            aria-label={t('verb.back')}
            title={t('verb.back')}
          />
        )}
        <div className="min-w-0 flex-1 basis-48">
          {props.kind && <p className="text-xs text-muted">{props.kind}</p>}
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Heading className="text-xl font-semibold break-words">{props.title}</Heading>
            {props.badge}
          </div>
          {props.id && <CopyId id={props.id} className="-ml-1" />}
        </div>
        <div className="ml-auto flex flex-wrap items-start justify-end gap-2">
          {props.actions}
          {items.length > 0 && <Menu label={t('ui.menu')} items={items} />}
        </div>
      </div>
      {props.remarks && (
        <details className="text-sm [--turn:0deg] open:[--turn:90deg]">
          <summary className="inline-flex min-h-6 items-center gap-1 rounded-sm text-muted hover:text-text">
            <Icon name="right" size={13} className="rotate-(--turn)" />
            {t('ui.show-remarks')}
          </summary>
          <p className="mt-1 max-w-prose rounded-md bg-surface-sunken p-2 whitespace-pre-wrap">
            {props.remarks}
          </p>
        </details>
      )}
    </header>
  );
}

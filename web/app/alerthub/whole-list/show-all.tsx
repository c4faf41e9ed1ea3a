// Header part of a short list: how many rows it shows of how many, and a link to all of them.
import { formatWholeNumber } from '@yagura/core/format/whole-number';
import type { MiniData } from '../../resource/list/mini-data.server.ts';
import { LinkButton } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { listParam } from './list-param.ts';

/** Nothing if all rows are shown. `to` replaces the URL of the page's own whole list. */
export function ShowAll(props: { data: MiniData; caption: string; to?: string }) {
  const { t } = useTranslation();
  const { rows, total, name } = props.data;
  if (total <= rows.length) return null;
  return (
    <>
      <span className="text-sm text-muted tabular-nums">
        {t('ui.page-of', {
          from: 1,
          to: formatWholeNumber(rows.length),
          total: formatWholeNumber(total),
        })}
      </span>
      <LinkButton
        to={props.to ?? `?${new URLSearchParams({ [listParam]: name })}`}
        size="small"
        aria-label={`${t('ui.show-all')}: ${props.caption}`}
      >
        {t('ui.show-all')}
      </LinkButton>
    </>
  );
}

// Button next to a list's filter box that opens the filter builder, which is loaded on first use.
import { useLocation, useNavigate, useSearchParams } from '@remix-run/react';
import type { FieldMeta } from '@yagura/core/resource/field';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { deferDialog } from '../../ui/deferred/defer-dialog.tsx';
import { useTranslation } from '../../ui/translation.tsx';

const FilterDialog = deferDialog('filter-dialog', () => import('./filter-dialog.tsx'));

/** `name` is the URL parameter of the filter text; a new text returns to the first page. */
export function FilterBuilder({ name, fields }: { name: string; fields: Record<string, FieldMeta> }) {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);

  function apply(text: string) {
    setOpen(false);
    const next = new URLSearchParams(params);
    next.delete('page');
    if (text) next.set(name, text);
    else next.delete(name);
    navigate({ pathname, search: `?${next}` }, { preventScrollReset: true });
  }

  return (
    <>
      <span className="noscript:hidden print:hidden">
        <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {t('filter.build')}
        </Button>
      </span>
      {open && (
        <FilterDialog
          text={params.get(name) ?? ''}
          fields={fields}
          onApply={apply}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

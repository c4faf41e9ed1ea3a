// Deletes the selected rows of a list after one confirmation and shows the result of each.
import { useFetcher } from '@remix-run/react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ConfirmDialog, Dialog } from '../../ui/overlay/dialog.tsx';
import { useFocusAfterRemoval } from '../../ui/overlay/use-focus-after-removal.ts';
import { useTranslation } from '../../ui/translation.tsx';
import type { Removal } from '../write/write.server.ts';

/**
 * `titles` are the row names by id; the callback is called once all rows are deleted. Without ids there is no button, only
 * the results of the last deletion.
 */
export function BulkRemove(props: {
  ids: string[];
  titles: Record<string, string>;
  /** Path of the list. */
  screen: string;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const fetcher = useFetcher<{ removals: Removal[] }>();
  const [confirmingIds, setConfirmingIds] = useState<string[]>();
  const [dismissed, setDismissed] = useState<unknown>();
  const removals = fetcher.data?.removals;
  const open = fetcher.state === 'idle' && removals !== undefined && dismissed !== removals;
  // Deleted rows leave the list, and their names with them, so keep the names.
  const [names, setNames] = useState(props.titles);

  useEffect(() => {
    if (removals) setConfirmingIds(undefined);
  }, [removals]);

  return (
    <>
      {props.ids.length > 0 && (
        <DeleteButton
          onClick={() => {
            setNames(props.titles);
            setConfirmingIds(props.ids);
          }}
        />
      )}
      <ConfirmDialog
        open={confirmingIds !== undefined && !open}
        title={t('web.delete-many-title', { number: confirmingIds?.length ?? 0 })}
        text={
          <>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: only an element with the focus scrolls by keys */}
            <ul tabIndex={0} className="mb-2 grid max-h-60 gap-1 overflow-auto">
              {confirmingIds?.map((id) => (
                <li key={id} className="break-words">
                  {names[id] ?? id}
                </li>
              ))}
            </ul>
            {t('ui.delete-text')}
          </>
        }
        busy={fetcher.state !== 'idle'}
        onCancel={() => setConfirmingIds(undefined)}
        onConfirm={() => {
          const form = new FormData();
          for (const id of confirmingIds ?? []) form.append('ids', id);
          fetcher.submit(form, { method: 'post', action: props.screen });
        }}
      />
      <Dialog
        open={open}
        title={t('web.delete-many-done', {
          number: removals?.filter((one) => one.reason === null).length ?? 0,
          total: removals?.length ?? 0,
        })}
        onClose={() => {
          setDismissed(removals);
          if (removals?.every((one) => one.reason === null)) props.onDone();
        }}
      >
        <ul className="grid gap-1">
          {removals?.map(({ id, reason }) => (
            <li key={id} className="flex items-start gap-2">
              <Icon
                name={reason === null ? 'success' : 'error'}
                label={t(reason === null ? 'ui.toast-success' : 'ui.toast-error')}
                className={reason === null ? 'mt-0.5 text-success-fg' : 'mt-0.5 text-danger-fg'}
              />
              <span className="min-w-0 break-words">
                {names[id] ?? id}
                {reason !== null && <span className="block text-muted">{reason}</span>}
              </span>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}

function DeleteButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  useFocusAfterRemoval(button);
  return (
    <Button ref={button} size="small" icon="trash" onClick={onClick}>
      {t('verb.delete')}
    </Button>
  );
}

// Small list of a scope's named values; with permission, a form to add one and a delete button on each.
import { useFetcher } from '@remix-run/react';
import type { FieldMeta } from '@yagura/core/resource/field';
import { useEffect, useRef, useState } from 'react';
import type { MiniData } from '../../../resource/list/mini-data.server.ts';
import { MiniTable } from '../../../resource/list/mini-table.tsx';
import { useProblemToast } from '../../../resource/write/use-problem-toast.ts';
import type { ActionProblem } from '../../../resource/write/write.server.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { ConfirmDialog } from '../../../ui/overlay/dialog.tsx';
import { useFocusAfterRemoval } from '../../../ui/overlay/use-focus-after-removal.ts';
import { Panel } from '../../../ui/page/panel.tsx';
import { Placeholder } from '../../../ui/page/placeholder.tsx';
import { useTranslation } from '../../../ui/translation.tsx';

export function NamedItemList(props: {
  title: string;
  data: MiniData;
  columns: string[];
  permissions: { add: boolean; remove: boolean };
  intents: { add: string; remove: string };
  meta: Record<string, FieldMeta>;
  addLabel: string;
  addTitle: string;
  emptyText?: string;
  refusal: ActionProblem | undefined;
}) {
  const { t } = useTranslation();
  const { data, intents, permissions } = props;
  const own = props.refusal?.values.intent === intents.add ? props.refusal : undefined;
  const version = data.rows.map((row) => `${row[data.id]} ${row.updatedAt}`).join();
  const addition = useFocusAfterChange(version);
  return (
    <Panel title={props.title}>
      <MiniTable
        data={data}
        caption={props.title}
        columns={props.columns}
        empty={<Placeholder kind="empty" title={props.emptyText} />}
        extra={
          permissions.remove
            ? {
                label: t('verb.delete'),
                render: (row) => <RemoveButton name={String(row[data.id])} intent={intents.remove} />,
              }
            : undefined
        }
      />
      {permissions.add && (
        <div ref={addition} className="border-t border-line px-4 py-3">
          <h3 className="mb-2 text-sm font-medium">{props.addTitle}</h3>
          <Form
            // The list changes when an entry was accepted; the new key then clears the inputs.
            key={version}
            part={intents.add}
            meta={props.meta}
            values={own?.values}
            errors={own?.errors}
            hidden={{ intent: intents.add }}
            submitLabel={props.addLabel}
          />
        </div>
      )}
    </Panel>
  );
}

/** Returns the ref of a part whose first input gets the focus that a change took away, to add the next entry. */
function useFocusAfterChange(version: string) {
  const part = useRef<HTMLDivElement>(null);
  const seen = useRef(version);
  useEffect(() => {
    if (seen.current === version) return;
    seen.current = version;
    if (document.activeElement === document.body)
      part.current?.querySelector<HTMLElement>('input:not([type=hidden])')?.focus();
  }, [version]);
  return part;
}

function RemoveButton({ name, intent }: { name: string; intent: string }) {
  const { t } = useTranslation();
  const [isConfirming, setIsConfirming] = useState(false);
  const fetcher = useFetcher();
  useProblemToast(fetcher.data, () => setIsConfirming(false));
  const button = useRef<HTMLButtonElement>(null);
  useFocusAfterRemoval(button);
  return (
    <>
      <IconButton
        ref={button}
        icon="trash"
        label={`${t('verb.delete')}: ${name}`}
        onClick={() => setIsConfirming(true)}
      />
      <ConfirmDialog
        open={isConfirming}
        title={t('web.delete-title', { name })}
        busy={fetcher.state !== 'idle'}
        onConfirm={() => fetcher.submit({ intent, id: name }, { method: 'post' })}
        onCancel={() => setIsConfirming(false)}
      />
    </>
  );
}

// A small set of things with names below a scope, with a line to add one and a button on each to remove it.
import { useFetcher } from '@remix-run/react';
import type { FieldMeta } from '@yagura/core/resource/field';
import { useState } from 'react';
import type { MiniData } from '../../resource/mini-data.server.ts';
import { MiniTable } from '../../resource/mini-table.tsx';
import { useRefusalToast } from '../../resource/use-refusal-toast.ts';
import type { Refusal } from '../../resource/write.server.ts';
import { Panel } from '../../shell/panel.tsx';
import { IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { Placeholder } from '../../ui/placeholder.tsx';
import { useTranslation } from '../../ui/words.tsx';

export function NamedValues(props: {
  title: string;
  data: MiniData;
  columns: string[];
  intents: { add: string; remove: string };
  meta: Record<string, FieldMeta>;
  addLabel: string;
  addTitle: string;
  emptyText?: string;
  refusal: Refusal | undefined;
}) {
  const { t } = useTranslation();
  const { data, intents } = props;
  const own = props.refusal?.values.intent === intents.add ? props.refusal : undefined;
  return (
    <Panel title={props.title}>
      <MiniTable
        data={data}
        caption={props.title}
        columns={props.columns}
        empty={<Placeholder kind="empty" title={props.emptyText} />}
        extra={{
          label: t('verb.delete'),
          render: (row) => <Remove name={String(row[data.id])} intent={intents.remove} />,
        }}
      />
      <div className="border-t border-line px-4 py-3">
        <h3 className="mb-2 text-sm font-medium">{props.addTitle}</h3>
        <Form
          // A row more means that the last one was taken: the inputs start anew.
          key={data.rows.map((row) => `${row[data.id]} ${row.updatedAt}`).join()}
          meta={props.meta}
          values={own?.values}
          errors={own?.errors}
          hidden={{ intent: intents.add }}
          submitLabel={props.addLabel}
        />
      </div>
    </Panel>
  );
}

function Remove({ name, intent }: { name: string; intent: string }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const fetcher = useFetcher();
  useRefusalToast(fetcher.data, () => setAsking(false));
  return (
    <>
      <IconButton icon="trash" label={`${t('verb.delete')}: ${name}`} onClick={() => setAsking(true)} />
      <ConfirmDialog
        open={asking}
        title={t('web.delete-title', { name })}
        busy={fetcher.state !== 'idle'}
        onConfirm={() => fetcher.submit({ intent, id: name }, { method: 'post' })}
        onCancel={() => setAsking(false)}
      />
    </>
  );
}

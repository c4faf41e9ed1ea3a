// A task: how it stands, why it ended as it did, what it was given and what it gave, and the way to stop it.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/claims';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { task } from '@yagura/core/work/task-resource';
import { useState } from 'react';
import { itemData } from '../../resource/item-data.server.ts';
import { ItemHeader, ItemInfo } from '../../resource/item-screen.tsx';
import { matchResource } from '../../resource/place.server.ts';
import { useRefusalToast } from '../../resource/use-refusal-toast.ts';
import { leave, refuse } from '../../resource/write.server.ts';
import { Panel } from '../../shell/panel.tsx';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/grant.server.ts';
import { refuseForeign } from '../../signin/same-origin.server.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { useTranslation } from '../../ui/words.tsx';

const screenOf = (id: string) => `/apps/devtool/tasks/${encodeURIComponent(id)}`;

export async function loader(args: LoaderFunctionArgs) {
  const id = args.params.taskId!;
  return withApi(args, async (api) => {
    const [data, person] = await Promise.all([
      itemData(api, matchResource(screenOf(id)), id),
      getCurrentUser(api),
    ]);
    const open = ['requested', 'started'].includes(String(data.item.status));
    return { ...data, mayAbort: open && can(person.grant, permissionFor(task, 'abort')) };
  });
}

export async function action(args: ActionFunctionArgs) {
  refuseForeign(args.request, args.context);
  const id = args.params.taskId!;
  return withApi(args, async (api) => {
    try {
      await api.client(task).call('abort', { id });
      return leave(screenOf(id), 'saved');
    } catch (error) {
      return refuse(error, {});
    }
  });
}

export default function Task() {
  const data = useLoaderData<typeof loader>();
  const { t, label } = useTranslation();
  return (
    <>
      <ItemHeader data={data} actions={data.mayAbort && <Abort key={String(data.item.status)} />} />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <ItemInfo data={data} />
        <div className="grid gap-5">
          <Panel title={label('params')} padded>
            <JsonView value={data.item.params} />
          </Panel>
          <Panel title={label('result')} padded>
            {data.item.result ? (
              <JsonView value={data.item.result} />
            ) : (
              <p className="text-sm">{t('text.none')}</p>
            )}
          </Panel>
        </div>
      </div>
    </>
  );
}

function Abort() {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const fetcher = useFetcher();
  useRefusalToast(fetcher.data, () => setAsking(false));
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        {t('task.abort')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('task.abort')}
        text={t('task.abort-text')}
        confirmLabel={t('task.abort')}
        busyLabel={t('verb.saving')}
        busy={fetcher.state !== 'idle'}
        onConfirm={() => fetcher.submit({}, { method: 'post' })}
        onCancel={() => setAsking(false)}
      />
    </>
  );
}

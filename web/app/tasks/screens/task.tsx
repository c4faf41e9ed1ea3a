// Detail page of a task: status, reason of its result, input, output, and a cancel button.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { task } from '@yagura/core/tasks/task';
import { useState } from 'react';
import { itemData } from '../../resource/item/item-data.server.ts';
import { ItemHeader, ItemInfo } from '../../resource/item/item-screen.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { useProblemToast } from '../../resource/write/use-problem-toast.ts';
import { redirectWithNotice, toProblemResponse } from '../../resource/write/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { JsonView } from '../../ui/text/json-view.tsx';
import { useTranslation } from '../../ui/translation.tsx';

const taskPath = (id: string) => `/apps/devtool/tasks/${encodeURIComponent(id)}`;

export async function loader(args: LoaderFunctionArgs) {
  const id = args.params.taskId!;
  return withApi(args, async (api) => {
    const [data, user] = await Promise.all([
      itemData(api, matchResource(taskPath(id)), id),
      getCurrentUser(api),
    ]);
    const open = ['requested', 'started'].includes(String(data.item.status));
    return { ...data, mayAbort: open && can(user.permissions, permissionFor(task, 'abort')) };
  });
}

export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const id = args.params.taskId!;
  return withApi(args, async (api) => {
    try {
      await api.client(task).call('abort', { id });
      return redirectWithNotice(taskPath(id), 'saved');
    } catch (error) {
      return toProblemResponse(error, {});
    }
  });
}

export default function Task() {
  const data = useLoaderData<typeof loader>();
  const { t, fieldLabel } = useTranslation();
  return (
    <>
      <ItemHeader data={data} actions={data.mayAbort && <AbortButton key={String(data.item.status)} />} />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <ItemInfo data={data} />
        <div className="grid gap-5">
          <Panel title={fieldLabel('params')} padded>
            <JsonView value={data.item.params} />
          </Panel>
          <Panel title={fieldLabel('result')} padded>
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

function AbortButton() {
  const { t } = useTranslation();
  const [isConfirming, setIsConfirming] = useState(false);
  const fetcher = useFetcher();
  useProblemToast(fetcher.data, () => setIsConfirming(false));
  return (
    <>
      <Button size="small" onClick={() => setIsConfirming(true)}>
        {t('task.abort')}
      </Button>
      <ConfirmDialog
        open={isConfirming}
        title={t('task.abort')}
        text={t('task.abort-text')}
        confirmLabel={t('task.abort')}
        busyLabel={t('verb.saving')}
        busy={fetcher.state !== 'idle'}
        onConfirm={() => fetcher.submit({}, { method: 'post' })}
        onCancel={() => setIsConfirming(false)}
      />
    </>
  );
}

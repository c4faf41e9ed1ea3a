// Detail page of a log key; its private key can be downloaded and then deleted permanently.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import { logKey } from '@yagura/core/greac/log-key';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { useEffect, useState } from 'react';
import { itemData } from '../../resource/item/item-data.server.ts';
import { ItemHeader, ItemInfo } from '../../resource/item/item-screen.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { useProblemToast } from '../../resource/write/use-problem-toast.ts';
import { toProblemResponse } from '../../resource/write/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { Button } from '../../ui/button.tsx';
import { controlClass } from '../../ui/field/field-frame.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { DownloadKey } from '../download-key.tsx';
import { replyWithPrivateKey } from '../private-key.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(new URL(args.request.url).pathname);
  return withApi(args, async (api) => {
    const [data, { permissions }] = await Promise.all([itemData(api, match), getCurrentUser(api)]);
    const isAllowed = (call: string) => can(permissions, permissionFor(logKey, call));
    return {
      data,
      crumbs: data.crumbs,
      watches: data.watches,
      mayDownload: isAllowed('private-key'),
      mayDelete: isAllowed('delete-private-key'),
    };
  });
}

export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const intent = (await args.request.formData()).get('intent');
  return withApi(args, async (api) => {
    const id = args.params.keyId;
    if (intent !== 'delete') return replyWithPrivateKey(api, id);
    try {
      await api.client(logKey).call('delete-private-key', { id });
      return { deleted: true };
    } catch (error) {
      return toProblemResponse(error, {});
    }
  });
}

export default function LogKey() {
  const { data, mayDownload, mayDelete } = useLoaderData<typeof loader>();
  const { keyId, hasPrivateKey } = data.item as unknown as { keyId: string; hasPrivateKey: boolean };
  return (
    <div key={keyId}>
      <ItemHeader data={data} />
      {hasPrivateKey && (
        <div className="mb-3 flex flex-wrap gap-2">
          {mayDownload && <DownloadKey keyId={keyId} />}
          {mayDelete && <DeleteKey keyId={keyId} />}
        </div>
      )}
      <ItemInfo data={data} />
    </div>
  );
}

/** The user must type the key's id to delete it, since logs encrypted to it may become unreadable. */
function DeleteKey({ keyId }: { keyId: string }) {
  const { t } = useTranslation();
  const [isConfirming, setIsConfirming] = useState(false);
  const [inputValue, setInputValue] = useState('');
  const fetcher = useFetcher<{ deleted?: boolean }>();
  useProblemToast(fetcher.data, () => setIsConfirming(false));
  useEffect(() => {
    if (fetcher.data?.deleted) setIsConfirming(false);
  }, [fetcher.data]);
  const busy = fetcher.state !== 'idle';
  return (
    <>
      <Button variant="danger" onClick={() => setIsConfirming(true)}>
        {t('greac.delete-key')}
      </Button>
      <Dialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={t('greac.delete-key')}
        locked={busy}
        footer={
          <>
            <Button onClick={() => setIsConfirming(false)} disabled={busy}>
              {t('verb.cancel')}
            </Button>
            <Button
              variant="danger"
              busy={busy}
              disabled={inputValue.trim() !== keyId}
              onClick={() => fetcher.submit({ intent: 'delete' }, { method: 'post' })}
            >
              {busy ? t('verb.deleting') : t('verb.delete')}
            </Button>
          </>
        }
      >
        <div className="grid gap-3">
          <p>{t('greac.delete-key-text')}</p>
          <label className="grid gap-1">
            <span>{t('greac.type-key', { id: keyId })}</span>
            <input
              data-first=""
              value={inputValue}
              onChange={(event) => setInputValue(event.target.value)}
              autoComplete="off"
              spellCheck={false}
              className={`${controlClass} h-8 font-mono`}
            />
          </label>
        </div>
      </Dialog>
    </>
  );
}

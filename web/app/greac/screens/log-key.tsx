// One log key: its private key can be downloaded, and deleted for good once it is kept elsewhere.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { data as reply } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/claims';
import { logKey } from '@yagura/core/greac/log-key';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { useEffect, useState } from 'react';
import { itemData } from '../../resource/item-data.server.ts';
import { ItemHeader, ItemInfo } from '../../resource/item-screen.tsx';
import { matchResource } from '../../resource/place.server.ts';
import { useRefusalToast } from '../../resource/use-refusal-toast.ts';
import { refuse } from '../../resource/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/grant.server.ts';
import { refuseForeign } from '../../signin/same-origin.server.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { controlClass } from '../../ui/field-frame.tsx';
import { useTranslation } from '../../ui/words.tsx';

interface Answer {
  privateKey?: string;
  deleted?: boolean;
}

export async function loader(args: LoaderFunctionArgs) {
  const placed = matchResource(new URL(args.request.url).pathname);
  return withApi(args, async (api) => {
    const [data, { grant }] = await Promise.all([itemData(api, placed), getCurrentUser(api)]);
    const may = (call: string) => can(grant, permissionFor(logKey, call));
    return {
      data,
      crumbs: data.crumbs,
      watches: data.watches,
      mayDownload: may('private-key'),
      mayDelete: may('delete-private-key'),
    };
  });
}

export async function action(args: ActionFunctionArgs) {
  refuseForeign(args.request, args.context);
  const intent = (await args.request.formData()).get('intent');
  return withApi(args, async (api) => {
    const client = api.client(logKey);
    const id = args.params.keyId;
    try {
      if (intent === 'delete') {
        await client.call('delete-private-key', { id });
        return reply<Answer>({ deleted: true });
      }
      const { privateKey } = await client.call<{ privateKey: string }>('private-key', { id });
      return reply<Answer>({ privateKey }, { headers: { 'cache-control': 'no-store' } });
    } catch (error) {
      return refuse(error, {});
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
          {mayDownload && <Download keyId={keyId} />}
          {mayDelete && <DeleteKey keyId={keyId} />}
        </div>
      )}
      <ItemInfo data={data} />
    </div>
  );
}

function Download({ keyId }: { keyId: string }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const fetcher = useFetcher<Answer>();
  useRefusalToast(fetcher.data, () => setAsking(false));
  const privateKey = fetcher.data?.privateKey;
  useEffect(() => {
    if (!privateKey) return;
    save(`yagura-log-key-${keyId}.txt`, `${privateKey}\n`);
    setAsking(false);
  }, [privateKey, keyId]);
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('greac.download-key')}</Button>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t('greac.download-key')}
        size="confirm"
        footer={
          <>
            <Button data-first="" onClick={() => setAsking(false)}>
              {t('verb.cancel')}
            </Button>
            <Button
              variant="primary"
              busy={fetcher.state !== 'idle'}
              onClick={() => fetcher.submit({ intent: 'download' }, { method: 'post' })}
            >
              {t('greac.download-key')}
            </Button>
          </>
        }
      >
        {t('greac.download-key-text')}
      </Dialog>
    </>
  );
}

/** Whoever deletes the key types its id, since logs encrypted to it may never be read again. */
function DeleteKey({ keyId }: { keyId: string }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const fetcher = useFetcher<Answer>();
  useRefusalToast(fetcher.data, () => setAsking(false));
  useEffect(() => {
    if (fetcher.data?.deleted) setAsking(false);
  }, [fetcher.data]);
  const busy = fetcher.state !== 'idle';
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        {t('greac.delete-key')}
      </Button>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t('greac.delete-key')}
        locked={busy}
        footer={
          <>
            <Button onClick={() => setAsking(false)} disabled={busy}>
              {t('verb.cancel')}
            </Button>
            <Button
              variant="danger"
              busy={busy}
              disabled={typed.trim() !== keyId}
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
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
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

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

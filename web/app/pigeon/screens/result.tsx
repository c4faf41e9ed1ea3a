// Detail page of a call chain: its calls by loop, updated live, and a stop button.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import { isFinalStatus, type ResultStatus } from '@yagura/core/pigeon/call-constants';
import { chain } from '@yagura/core/pigeon/chain';
import { maskedPhone } from '@yagura/core/pigeon/masked-phone';
import { type CallRecord, result } from '@yagura/core/pigeon/result';
import { itemFields, permissionFor } from '@yagura/core/resource/define-resource';
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
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { CallTimeline } from '../call-timeline.tsx';
import { HiddenNumbersHint } from '../hidden-numbers-hint.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(new URL(args.request.url).pathname);
  return withApi(args, async (api) => {
    const [data, user] = await Promise.all([itemData(api, match), getCurrentUser(api)]);
    const callStatus = itemFields(result).calls!.item!.fields!.status!;
    return { ...data, callStatus, mayAbort: can(user.permissions, permissionFor(chain, 'abort')) };
  });
}

/** Requests the chain to stop. */
export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const { resultId } = args.params;
  return withApi(args, async (api) => {
    try {
      await api.client(chain).call('abort', { body: { resultId } });
    } catch (error) {
      return toProblemResponse(error, {});
    }
    return null;
  });
}

export default function Result() {
  const data = useLoaderData<typeof loader>();
  const { t, choiceLabel: word } = useTranslation();
  const calls = (data.item.calls ?? []) as CallRecord[];
  const status = String(data.item.status) as ResultStatus;
  return (
    <>
      <ItemHeader
        data={data}
        actions={
          data.mayAbort && !isFinalStatus(status) && <AbortButton isAborting={status === 'aborting'} />
        }
      />
      {calls.some(({ phoneNumber }) => phoneNumber === maskedPhone) && <HiddenNumbersHint />}
      {data.item.line === 'simulator' && (
        <p className="mb-3 rounded-md bg-warning-bg px-3 py-2 text-sm text-warning-fg">
          {t('pigeon.simulated', { line: word('simulator') })}
        </p>
      )}
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Panel title={t('pigeon.timeline')} padded>
          <CallTimeline calls={calls} references={data.references} status={data.callStatus} />
        </Panel>
        <ItemInfo data={data} />
      </div>
    </>
  );
}

function AbortButton({ isAborting }: { isAborting: boolean }) {
  const { t } = useTranslation();
  const [isConfirming, setIsConfirming] = useState(false);
  const fetcher = useFetcher();
  useProblemToast(fetcher.data, () => setIsConfirming(false));
  const busy = fetcher.state !== 'idle';
  useEffect(() => {
    if (isAborting) setIsConfirming(false);
  }, [isAborting]);
  return (
    <>
      <Button variant="danger" disabled={isAborting} busy={busy} onClick={() => setIsConfirming(true)}>
        {t('pigeon.abort')}
      </Button>
      <ConfirmDialog
        open={isConfirming}
        title={t('pigeon.abort-title')}
        text={t('pigeon.abort-text')}
        confirmLabel={t('pigeon.abort')}
        busy={busy}
        onConfirm={() => {
          fetcher.submit({ intent: 'abort' }, { method: 'post' });
          setIsConfirming(false);
        }}
        onCancel={() => setIsConfirming(false)}
      />
    </>
  );
}

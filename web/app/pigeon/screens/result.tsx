// What became of a chain: its calls loop by loop, live, and the way to stop it.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/claims';
import { chain } from '@yagura/core/pigeon/chain';
import { hiddenPhone } from '@yagura/core/pigeon/hidden-phone';
import { isFinal, type ResultStatus } from '@yagura/core/pigeon/key';
import { type CallRecord, result } from '@yagura/core/pigeon/result';
import { itemFields, permissionFor } from '@yagura/core/resource/define-resource';
import { useEffect, useState } from 'react';
import { itemData } from '../../resource/item-data.server.ts';
import { ItemHeader, ItemInfo } from '../../resource/item-screen.tsx';
import { matchResource } from '../../resource/place.server.ts';
import { useRefusalToast } from '../../resource/use-refusal-toast.ts';
import { refuse } from '../../resource/write.server.ts';
import { Panel } from '../../shell/panel.tsx';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/grant.server.ts';
import { refuseForeign } from '../../signin/same-origin.server.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useTranslation } from '../../ui/words.tsx';
import { CallTimeline } from '../call-timeline.tsx';
import { PhoneHint } from '../phone-hint.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const placed = matchResource(new URL(args.request.url).pathname);
  return withApi(args, async (api) => {
    const [data, person] = await Promise.all([itemData(api, placed), getCurrentUser(api)]);
    const callStatus = itemFields(result).calls!.item!.fields!.status!;
    return { ...data, callStatus, mayAbort: can(person.grant, permissionFor(chain, 'abort')) };
  });
}

/** Asks the chain to stop. */
export async function action(args: ActionFunctionArgs) {
  refuseForeign(args.request, args.context);
  const { resultId } = args.params;
  return withApi(args, async (api) => {
    try {
      await api.client(chain).call('abort', { body: { resultId } });
    } catch (error) {
      return refuse(error, {});
    }
    return null;
  });
}

export default function Result() {
  const data = useLoaderData<typeof loader>();
  const { t, value: word } = useTranslation();
  const calls = (data.item.calls ?? []) as CallRecord[];
  const status = String(data.item.status) as ResultStatus;
  return (
    <>
      <ItemHeader
        data={data}
        actions={data.mayAbort && !isFinal(status) && <AbortButton asked={status === 'aborting'} />}
      />
      {calls.some(({ phoneNumber }) => phoneNumber === hiddenPhone) && <PhoneHint />}
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

function AbortButton({ asked }: { asked: boolean }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const fetcher = useFetcher();
  useRefusalToast(fetcher.data, () => setAsking(false));
  const busy = fetcher.state !== 'idle';
  useEffect(() => {
    if (asked) setAsking(false);
  }, [asked]);
  return (
    <>
      <Button variant="danger" disabled={asked} busy={busy} onClick={() => setAsking(true)}>
        {t('pigeon.abort')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('pigeon.abort-title')}
        text={t('pigeon.abort-text')}
        confirmLabel={t('pigeon.abort')}
        busy={busy}
        onConfirm={() => {
          fetcher.submit({ intent: 'abort' }, { method: 'post' });
          setAsking(false);
        }}
        onCancel={() => setAsking(false)}
      />
    </>
  );
}

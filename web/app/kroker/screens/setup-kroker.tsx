// User's part of the Kroker setup: enter the code shown by the machine, compare its key, approve or reject.
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { Form, useLoaderData, useNavigation } from '@remix-run/react';
import { Problem } from '@yagura/core/http/problem';
import { kroker } from '@yagura/core/kroker/kroker';
import { krokerSetup, normalizeUserCode } from '@yagura/core/kroker/kroker-setup';
import { toActionProblem, useProblemToast } from '../../resource/write/use-problem-toast.ts';
import { toProblemResponse } from '../../resource/write/write.server.ts';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { DocumentTitle } from '../../shell/navigation/document-title.tsx';
import { withApi } from '../../signin/api.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { Button } from '../../ui/button.tsx';
import { controlClass } from '../../ui/field/field-frame.tsx';
import { useTranslation } from '../../ui/translation.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const given = new URL(args.request.url).searchParams.get('code') ?? '';
  return withApi(args, async (api) => {
    const code = normalizeUserCode(given);
    // Listing first rejects users who may not approve before they enter a code.
    const krokers = await api.client(kroker).list({ limit: 1000, sort: 'displayName' });
    const machine = code ? await api.client(krokerSetup).find(code) : null;
    return {
      given,
      machine,
      krokers: krokers.items.map(({ krokerId, displayName }) => ({ krokerId, displayName })),
    };
  });
}

export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const form = await args.request.formData();
  const text = (name: string) => String(form.get(name) ?? '').trim();
  return withApi(args, async (api) => {
    const client = api.client(krokerSetup);
    const id = text('userCode');
    try {
      if (text('intent') === 'deny') {
        await client.call('deny', { id });
        return redirect('/setup-kroker/complete?result=denied');
      }
      const krokerId = text('krokerId') || null;
      const body = { krokerId, ...(krokerId ? {} : { displayName: text('displayName') }) };
      const made = await client.call<{ krokerId: string }>('approve', { id, body });
      return redirect(`/setup-kroker/complete?result=approved&kroker=${encodeURIComponent(made.krokerId)}`);
    } catch (error) {
      if (error instanceof Problem && error.kind === 'not-found')
        return redirect('/setup-kroker?code=expired');
      return toProblemResponse(error, {});
    }
  });
}

export default function SetupKroker() {
  const { given, machine, krokers } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  return (
    <div className="grid gap-4">
      <DocumentTitle text={t('kroker.set-up-title')} />
      <h1 className="text-xl font-semibold">{t('kroker.set-up-title')}</h1>
      {machine ? (
        <ApprovalForm machine={machine} krokers={krokers} />
      ) : (
        <Form method="get" className="grid gap-3">
          <p className="text-sm text-muted">{t('kroker.enter-code')}</p>
          {given !== '' && (
            <p role="alert" className="text-sm text-danger-fg">
              {t('kroker.unknown-code')}
            </p>
          )}
          <label className="grid gap-1 text-sm font-medium">
            {t('label.userCode')}
            <input
              name="code"
              required
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              placeholder="XXXX-XXXX"
              className={`${controlClass} h-10 font-mono text-lg uppercase tracking-widest`}
            />
          </label>
          <Button type="submit" variant="primary">
            {t('kroker.look-up')}
          </Button>
        </Form>
      )}
    </div>
  );
}

interface PendingMachine {
  userCode: string;
  hostName: string;
  thumbprint: string;
}

function ApprovalForm(props: {
  machine: PendingMachine;
  krokers: { krokerId: string; displayName: string }[];
}) {
  const { machine, krokers } = props;
  const { t, fieldLabel } = useTranslation();
  const actionProblem = toActionProblem(useActionResult());
  useProblemToast(
    actionProblem && Object.keys(actionProblem.errors).length === 0 ? actionProblem : undefined,
  );
  const busy = useNavigation().state !== 'idle';
  return (
    <Form method="post" className="grid gap-4 text-sm">
      <input type="hidden" name="userCode" value={machine.userCode} />
      <p>{t('kroker.compare')}</p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <dt className="text-muted">{fieldLabel('hostName')}</dt>
        <dd className="break-all">{machine.hostName}</dd>
        <dt className="text-muted">{fieldLabel('userCode')}</dt>
        <dd className="font-mono">{machine.userCode}</dd>
        <dt className="text-muted">{fieldLabel('thumbprint')}</dt>
        <dd className="font-mono break-all">{machine.thumbprint}</dd>
      </dl>
      <label className="grid gap-1 font-medium">
        {t('kroker.new-name')}
        <input
          name="displayName"
          maxLength={30}
          defaultValue={machine.hostName.slice(0, 30)}
          className={`${controlClass} h-8`}
        />
        {actionProblem?.errors.displayName && (
          <span role="alert" className="text-danger-fg">
            {actionProblem.errors.displayName}
          </span>
        )}
      </label>
      {krokers.length > 0 && (
        <label className="grid gap-1 font-medium">
          {t('kroker.or-existing')}
          <select name="krokerId" className={`${controlClass} h-8`}>
            <option value="">{t('kroker.make-new')}</option>
            {krokers.map(({ krokerId, displayName }) => (
              <option key={krokerId} value={krokerId}>
                {displayName}
              </option>
            ))}
          </select>
          <span className="font-normal text-muted">{t('kroker.existing-text')}</span>
        </label>
      )}
      <div className="flex justify-end gap-2">
        <Button type="submit" name="intent" value="deny" disabled={busy}>
          {t('kroker.deny')}
        </Button>
        <Button type="submit" name="intent" value="approve" variant="primary" busy={busy}>
          {t('kroker.approve')}
        </Button>
      </div>
    </Form>
  );
}

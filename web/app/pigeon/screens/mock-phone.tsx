// The mock phone, for developers: shows its calls live, answers them by hand, and edits the scripts that do.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import { mockPhone, phoneScriptsBody } from '@yagura/core/pigeon/mock-phone';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { shapeFields } from '@yagura/core/resource/field';
import { toActionProblem } from '../../resource/write/use-problem-toast.ts';
import { redirectWithNotice, toProblemResponse } from '../../resource/write/write.server.ts';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import type { Crumb } from '../../shell/navigation/crumb.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { readForm } from '../../ui/field/form-data.ts';
import { Form } from '../../ui/form/form.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { Placeholder } from '../../ui/page/placeholder.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { MockCallPanel } from '../mock-call-panel.tsx';

const path = '/apps/devtool/phone';

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const [phone, user] = await Promise.all([api.client(mockPhone).show(), getCurrentUser(api)]);
    const crumbs: Crumb[] = [{ labelKey: 'shell.devtool' }, { to: path, labelKey: 'pigeon.phone' }];
    return {
      crumbs,
      phone,
      watches: [mockPhone.name],
      status: shapeFields(mockPhone.shape).calls!.item!.fields!.status!,
      scriptFields: shapeFields(phoneScriptsBody),
      mayUse: can(user.permissions, permissionFor(mockPhone, 'act')),
      mayEdit: can(user.permissions, permissionFor(mockPhone, 'set-scripts')),
    };
  });
}

/** Does something with a call, or saves the scripts. */
export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const form = await args.request.formData();
  const isAct = form.has('mockCallId');
  const body = isAct
    ? Object.fromEntries([...form].filter(([, value]) => value !== ''))
    : readForm(form, shapeFields(phoneScriptsBody));
  return withApi(args, async (api) => {
    try {
      await api.client(mockPhone).call(isAct ? 'act' : 'set-scripts', { body });
    } catch (error) {
      return toProblemResponse(error, body);
    }
    return isAct ? null : redirectWithNotice(path, 'saved');
  });
}

export default function MockPhone() {
  const { phone, status, scriptFields, mayUse, mayEdit } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const problem = toActionProblem(useActionResult());
  const title = <h1 className="text-xl font-semibold">{t('pigeon.phone')}</h1>;
  if (phone.address === null)
    return (
      <>
        {title}
        <Placeholder kind="empty" title={t('pigeon.phone.none')} detail={t('pigeon.phone.none-hint')} />
      </>
    );
  return (
    <div className="grid max-w-4xl gap-5">
      <header className="grid gap-1">
        {title}
        <p className="text-sm text-muted">{t('pigeon.phone.at', { address: phone.address })}</p>
        {phone.problem && (
          <p role="alert" className="rounded-md bg-danger-bg px-3 py-2 text-sm text-danger-fg">
            {t('pigeon.phone.problem', { problem: phone.problem })}
          </p>
        )}
      </header>
      <section aria-live="polite" aria-label={t('label.calls')} className="grid gap-3">
        {phone.calls.length === 0 && <Placeholder title={t('pigeon.phone.no-calls')} />}
        {phone.calls.map((call) => (
          <MockCallPanel key={call.mockCallId} call={call} status={status} mayUse={mayUse} />
        ))}
      </section>
      {mayEdit && (
        <Panel title={t('label.scripts')} padded>
          <p className="text-sm text-muted">{t('pigeon.phone.scripts-hint')}</p>
          <p className="mb-3 text-sm text-muted">{t('pigeon.phone.steps-hint')}</p>
          <Form
            meta={scriptFields}
            values={problem?.values ?? { scripts: phone.scripts }}
            errors={problem?.errors}
          />
        </Panel>
      )}
    </div>
  );
}

// State of the phone line: trunks and voices, and a form for a test call.
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import { type PhoneLineTrunk, phoneLine, testCallBody } from '@yagura/core/pigeon/phone-line';
import { type Item, permissionFor } from '@yagura/core/resource/define-resource';
import { type FieldMeta, shapeFields } from '@yagura/core/resource/field';
import { itemData } from '../../resource/item/item-data.server.ts';
import { ItemHeader } from '../../resource/item/item-screen.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { toActionProblem, useProblemText } from '../../resource/write/use-problem-toast.ts';
import { toProblemResponse } from '../../resource/write/write.server.ts';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { usePoll } from '../../shell/live/use-poll.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { readForm } from '../../ui/field/form-data.ts';
import { Form } from '../../ui/form/form.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { Placeholder } from '../../ui/page/placeholder.tsx';
import { StatusBadge } from '../../ui/text/status-badge.tsx';
import { Time } from '../../ui/text/time.tsx';
import { useTranslation } from '../../ui/translation.tsx';

const testCallFields = () => shapeFields(testCallBody);

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(new URL(args.request.url).pathname);
  return withApi(args, async (api) => {
    const [data, user] = await Promise.all([itemData(api, match), getCurrentUser(api)]);
    const needed = [permissionFor(phoneLine, 'test-call'), 'pigeon:contacts:create'];
    return {
      ...data,
      state: shapeFields(phoneLine.shape).trunks!.item!.fields!.state!,
      mayTest: needed.every((permission) => can(user.permissions, permission)),
      testCallFields: testCallFields(),
    };
  });
}

/** Places a test call and shows its result. */
export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const values = readForm(await args.request.formData(), testCallFields());
  return withApi(args, async (api) => {
    try {
      const { resultId } = await api
        .client(phoneLine)
        .call<{ resultId: string }>('test-call', { body: values });
      return redirect(`/apps/pigeon/results/${encodeURIComponent(resultId)}`);
    } catch (error) {
      return toProblemResponse(error, values);
    }
  });
}

export default function Line() {
  const data = useLoaderData<typeof loader>();
  const { t, fieldLabel, choiceLabel } = useTranslation();
  const { line, trunks, voices } = data.item as unknown as Item<typeof phoneLine>;
  usePoll(trunks.length > 0);
  if (line === null)
    return (
      <>
        <ItemHeader data={data} />
        <Placeholder kind="empty" title={t('pigeon.line.none')} detail={t('pigeon.line.none-hint')} />
      </>
    );
  return (
    <>
      <ItemHeader data={data} />
      <div className="grid max-w-4xl gap-5">
        <Panel title={fieldLabel('trunks')} padded>
          {trunks.length === 0 ? (
            <Placeholder title={t('pigeon.line.no-trunks')} />
          ) : (
            <TrunkList trunks={trunks} state={data.state as FieldMeta} />
          )}
        </Panel>
        {line === 'sip' && (
          <Panel title={fieldLabel('voices')} padded>
            <p className="text-sm">
              {voices.length === 0 ? t('pigeon.line.no-voices') : voices.map(choiceLabel).join(', ')}
            </p>
          </Panel>
        )}
        {data.mayTest && <TestCall fields={data.testCallFields as Record<string, FieldMeta>} />}
      </div>
    </>
  );
}

function TrunkList({ trunks, state }: { trunks: PhoneLineTrunk[]; state: FieldMeta }) {
  return (
    <ol className="grid gap-2">
      {trunks.map((trunk) => (
        <li key={trunk.name} className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <span className="font-medium">{trunk.name}</span>
          <StatusBadge value={trunk.state} tones={state.tones} options={state.options} />
          <Time value={trunk.since} />
          <span className="text-muted">{trunk.detail}</span>
        </li>
      ))}
    </ol>
  );
}

function TestCall({ fields }: { fields: Record<string, FieldMeta> }) {
  const { t } = useTranslation();
  const problem = toActionProblem(useActionResult());
  const formatProblem = useProblemText();
  const other = problem && Object.keys(problem.errors).length === 0 ? problem : undefined;
  return (
    <Panel title={t('pigeon.test-call')} padded>
      <p className="mb-3 text-sm text-muted">{t('pigeon.line.test-hint')}</p>
      {other && (
        <p role="alert" className="mb-3 rounded-md bg-danger-bg px-3 py-2 text-sm text-danger-fg">
          {formatProblem(other)}
        </p>
      )}
      <Form
        meta={fields}
        values={problem?.values ?? {}}
        errors={problem?.errors}
        submitLabel={t('pigeon.line.test-button')}
      />
    </Panel>
  );
}

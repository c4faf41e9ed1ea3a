// Starts calls, and generates commands and configuration that start them from a script or another system; these contain
// no secret.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Problem } from '@yagura/core/http/problem';
import { callflow } from '@yagura/core/pigeon/callflow';
import { guidance } from '@yagura/core/pigeon/guidance';
import { useState } from 'react';
import type { Crumb } from '../../shell/navigation/crumb.ts';
import { type Api, withApi } from '../../signin/api.server.ts';
import { controlProps, FieldFrame } from '../../ui/field/field-frame.tsx';
import { KeyValuesInput } from '../../ui/input/key-values-input.tsx';
import { ReferenceInput } from '../../ui/input/reference-input.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { maxReferenceOptions } from '../../ui/references.ts';
import { CopyButton } from '../../ui/text/copy-id.tsx';
import { ScrollableText } from '../../ui/text/scrollable-text.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { curlCommand, yaguraCommand } from '../invoke-command.ts';
import { alertmanagerCommands, nagiosConfig, zabbixMediaType } from '../on-call-config.ts';
import { callIntent } from '../ring-preview/preview-fields.ts';
import { handlePreview, requestedIntent } from '../ring-preview/ring-preview.server.ts';
import { RingPreviewPanel } from '../ring-preview/ring-preview-panel.tsx';
import { findCallLine, startCall } from '../ring-preview/start-call.server.ts';

type Names = Record<string, { name: string }>;

export async function loader(args: LoaderFunctionArgs) {
  const { origin } = args.context;
  return withApi(args, async (api) => {
    const line = await findCallLine(api);
    if (!line) throw new Problem('forbidden');
    const [callflows, guidances] = await Promise.all([
      fetchNames(api, callflow, 'callflowId'),
      fetchNames(api, guidance, 'guidanceId'),
    ]);
    const crumbs: Crumb[] = [
      { to: '/apps/pigeon', labelKey: 'shell.pigeon' },
      { to: '/apps/pigeon/tools/command-generator', labelKey: 'pigeon.command-generator' },
    ];
    return { origin, line, callflows, guidances, crumbs };
  });
}

export async function action(args: ActionFunctionArgs) {
  return (await requestedIntent(args.request)) === callIntent ? startCall(args) : handlePreview(args);
}

async function fetchNames(api: Api, resource: typeof callflow | typeof guidance, id: string): Promise<Names> {
  const { items } = await api.client<Record<string, unknown>, unknown>(resource as never).list({
    limit: maxReferenceOptions,
    sort: 'displayName',
  });
  return Object.fromEntries(items.map((item) => [String(item[id]), { name: String(item.displayName) }]));
}

export default function CommandGenerator() {
  const { origin, line, callflows, guidances } = useLoaderData<typeof loader>();
  const { t, fieldLabel } = useTranslation();
  const [callflowId, setCallflowId] = useState('');
  const [guidanceId, setGuidanceId] = useState('');
  const [parameters, setParameters] = useState<Record<string, string>>({});
  const call = { callflowId, guidanceId, parameters };
  const ready = callflowId !== '' && guidanceId !== '';
  const pick = (
    name: string,
    { resource, options }: { resource: string; options: Names },
    value: string,
    change: (id: string) => void,
  ) => {
    const frame = { name, label: fieldLabel(name), required: true };
    return (
      <FieldFrame {...frame}>
        <ReferenceInput
          control={controlProps(frame)}
          options={options}
          resource={resource}
          value={value}
          required
          label={frame.label}
          onChange={change}
        />
      </FieldFrame>
    );
  };
  const names = { callflow: callflows[callflowId]?.name ?? '', guidance: guidances[guidanceId]?.name ?? '' };
  return (
    <div className="grid max-w-4xl gap-5">
      <h1 className="text-xl font-semibold">{t('pigeon.command-generator')}</h1>
      <Panel title={t('pigeon.command-call')} padded>
        <div className="grid gap-4">
          {pick('callflowId', { resource: 'callflow', options: callflows }, callflowId, setCallflowId)}
          {pick('guidanceId', { resource: 'guidance', options: guidances }, guidanceId, setGuidanceId)}
          <KeyValuesInput
            frame={{ name: 'parameters', label: fieldLabel('parameters'), required: false }}
            value={{}}
            onChange={setParameters}
          />
        </div>
      </Panel>
      {ready ? (
        <>
          <CommandPanel title="yagura" text={yaguraCommand(call, names)} note={t('pigeon.command-yagura')} />
          <CommandPanel title="curl" text={curlCommand(origin, call)} note={t('pigeon.command-curl')} />
          <CommandPanel
            title="Zabbix"
            text={zabbixMediaType(origin, call)}
            note={t('pigeon.command-zabbix', { macro: '{$YAGURA.TOKEN}' })}
          />
          <CommandPanel
            title="Alertmanager"
            text={alertmanagerCommands(call, names)}
            note={t('pigeon.command-alertmanager')}
          />
          <CommandPanel
            title="Nagios"
            text={nagiosConfig(origin, call, names)}
            note={t('pigeon.command-nagios')}
          />
          <RingPreviewPanel
            key={`${callflowId} ${guidanceId}`}
            callflowId={callflowId}
            guidance={call}
            line={line}
          />
        </>
      ) : (
        <p className="text-sm text-muted">{t('pigeon.command-choose')}</p>
      )}
    </div>
  );
}

function CommandPanel(props: { title: string; text: string; note: string }) {
  const { t } = useTranslation();
  return (
    <Panel
      title={props.title}
      padded
      actions={<CopyButton text={props.text} label={t('ui.copy-of', { name: props.title })} />}
    >
      <ScrollableText className="p-3">{props.text}</ScrollableText>
      <p className="mt-2 text-xs text-muted">{props.note}</p>
    </Panel>
  );
}

// Creates a Ksocket token and shows it; it cannot be shown again.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { data } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ksocketToken } from '@yagura/core/ksocket/ksocket-token';
import { createData } from '../../resource/form/create-data.server.ts';
import { FormScreen } from '../../resource/form/form-screen.tsx';
import { idempotencyKeyField } from '../../resource/write/hidden-field.ts';
import { handleWrite } from '../../resource/write/write.server.ts';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { CopyButton } from '../../ui/text/copy-id.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { InstallCommands } from '../install-commands.tsx';

export const loader = (args: LoaderFunctionArgs) => createData(args);

export const action = (args: ActionFunctionArgs) =>
  handleWrite(args, async (api, match, values, form) => {
    const made = await api.client(ksocketToken).create(values as never, match.params, {
      idempotencyKey: String(form.get(idempotencyKeyField) ?? '') || undefined,
    });
    const { origin, version } = args.context;
    return data({
      made: { displayName: made.displayName, token: made.token ?? '', list: match.screen, origin, version },
    });
  });

export default function KsocketTokenCreate() {
  const form = useLoaderData<typeof loader>();
  const reply = useActionResult<typeof action>();
  if (reply && 'made' in reply) return <CreatedToken {...reply.made} />;
  return <FormScreen {...form} actionData={reply} mode="create" cancelHref={form.screen} />;
}

interface CreatedTokenProps {
  displayName: string;
  token: string;
  list: string;
  /** Public URL and version of the server. */
  origin: string;
  version: string;
}

function CreatedToken({ displayName, token, list, origin, version }: CreatedTokenProps) {
  const { t } = useTranslation();
  return (
    <div className="max-w-3xl space-y-4">
      <h1 className="text-xl font-semibold">{t('web.token-made', { name: displayName })}</h1>
      <section className="space-y-3 rounded-lg border border-line bg-surface p-5 shadow-raised">
        <p className="flex items-start gap-2 text-sm text-warning-fg">
          <Icon name="warning" className="mt-0.5" />
          {t('web.token-once')}
        </p>
        <div className="flex items-center gap-2 rounded-md border border-line bg-surface-sunken px-3 py-2">
          <code data-token className="min-w-0 flex-1 font-mono text-sm break-all">
            {token}
          </code>
          <CopyButton text={token} label={t('verb.copy')} />
        </div>
      </section>
      <InstallCommands origin={origin} token={token} version={version} />
      <LinkButton to={list} variant="primary">
        {t('web.token-kept')}
      </LinkButton>
    </div>
  );
}

// Form for a new credential of a Kroker.
import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { kroker } from '@yagura/core/kroker/kroker';
import { createData } from '../../resource/form/create-data.server.ts';
import { createAction } from '../../resource/write/write.server.ts';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { withApi } from '../../signin/api.server.ts';
import { LinkButton } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { CredentialForm } from '../credential-form.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const form = await createData(args);
  const { krokerId, publicKey } = await withApi(args, (api) => api.client(kroker).show(args.params.krokerId));
  // Without a public key nothing can be encrypted; the Kroker's page explains the setup.
  if (!publicKey) throw redirect(`/preference/kroker/list/${krokerId}`);
  return { ...form, kroker: { krokerId, publicKey } };
}

export const action = createAction;

export default function CredentialCreate() {
  const { meta, hidden, screen: path, kroker: gateway } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  return (
    <>
      <header className="mb-4 flex items-center gap-2">
        <LinkButton
          to={path.replace(/\/credentials$/, '')}
          variant="quiet"
          size="small"
          icon="back"
          aria-label={t('verb.back')}
          title={t('verb.back')}
        />
        <h1 className="text-xl font-semibold">{t('kroker.new-credential')}</h1>
      </header>
      <CredentialForm
        form={meta.form}
        hidden={hidden}
        kroker={gateway}
        actionData={useActionResult<typeof action>()}
        cancelHref={path.replace(/\/credentials$/, '')}
      />
    </>
  );
}

// Form for editing or replacing a credential of a Kroker.
import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { kroker } from '@yagura/core/kroker/kroker';
import { editData } from '../../resource/form/edit-data.server.ts';
import { editAction } from '../../resource/write/write.server.ts';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { withApi } from '../../signin/api.server.ts';
import { LinkButton } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { CredentialForm } from '../credential-form.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const { values, ...form } = await editData(args);
  const { krokerId, publicKey } = await withApi(args, (api) => api.client(kroker).show(args.params.krokerId));
  if (!publicKey) throw redirect(`/preference/kroker/list/${krokerId}`);
  const { encryptedData: _data, ...shown } = values;
  return { ...form, values: shown, kroker: { krokerId, publicKey } };
}

export const action = editAction;

export default function CredentialEdit() {
  const { meta, hidden, values, version, cancelHref, kroker: gateway } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  return (
    <>
      <header className="mb-4 flex items-center gap-2">
        <LinkButton
          to={cancelHref}
          variant="quiet"
          size="small"
          icon="back"
          aria-label={t('verb.back')}
          title={t('verb.back')}
        />
        <h1 className="text-xl font-semibold">{t('kroker.edit-credential')}</h1>
      </header>
      <CredentialForm
        key={version}
        form={meta.form}
        hidden={hidden}
        values={values}
        hasStoredSecret={values.sealed === true}
        kroker={gateway}
        actionData={useActionResult<typeof action>()}
        cancelHref={cancelHref}
      />
    </>
  );
}

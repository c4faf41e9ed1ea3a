// Form for a user, which says how the user will get a password.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { resourceNoun } from '@yagura/core/resource/resource-noun';
import { settings } from '@yagura/core/space/client-settings';
import { invitation } from '@yagura/core/space/invitation';
import { createData } from '../../resource/form/create-data.server.ts';
import { FormScreen } from '../../resource/form/form-screen.tsx';
import { createAction } from '../../resource/write/write.server.ts';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../signin/current-user.server.ts';
import { LinkButton } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/translation.tsx';

export const action = createAction;

export async function loader(args: LoaderFunctionArgs) {
  const data = await createData(args);
  return withApi(args, async (api) => {
    const [{ newPasswords }, user] = await Promise.all([api.client(settings).show(), getCurrentUser(api)]);
    return { ...data, newPasswords, mayInvite: resourcePermissions(user, invitation).create };
  });
}

const passwordNotes = {
  mail: 'users.new-by-mail',
  command: 'users.new-by-command',
  none: 'users.new-by-provider',
} as const;

export default function UserCreate() {
  const { newPasswords, mayInvite, ...data } = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  const { t, language } = useTranslation();
  return (
    <FormScreen {...data} actionData={refusal} mode="create" cancelHref={data.screen}>
      <p className="rounded-md bg-info-bg px-3 py-2 text-sm text-info-fg">{t(passwordNotes[newPasswords])}</p>
      {newPasswords === 'mail' && mayInvite && (
        <p>
          <LinkButton to={`${invitation.screen}/new`} size="small">
            {t('web.create-title', { noun: resourceNoun(invitation.noun, language) })}
          </LinkButton>
        </p>
      )}
    </FormScreen>
  );
}

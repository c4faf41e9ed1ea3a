// Profile page of the signed-in user with all sign-in settings.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { mfa } from '@yagura/core/space/mfa';
import { passkey } from '@yagura/core/space/passkey';
import { signInSession } from '@yagura/core/space/sign-in-session';
import { itemData } from '../../resource/item/item-data.server.ts';
import { ItemScreen } from '../../resource/item/item-screen.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { withApi } from '../../signin/api.server.ts';
import { useTranslation } from '../../ui/translation.tsx';
import { EmailSection } from '../profile/email-section.tsx';
import { PasskeySection } from '../profile/passkey-section.tsx';
import { PasswordSection } from '../profile/password-section.tsx';
import { FactorsProvider } from '../profile/proof-field.tsx';
import { SessionSection } from '../profile/session-section.tsx';
import { TwoStepSection } from '../profile/two-step-section.tsx';
import { handleSecurityChange } from '../profile-changes.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const match = matchResource(new URL(args.request.url).pathname);
    const [own, factors, passkeys, sessions] = await Promise.all([
      itemData(api, match),
      api.client(mfa).show(),
      api.client(passkey).list({ limit: 100 }),
      api.client(signInSession).list({ limit: 100 }),
    ]);
    const watches = [...own.watches, mfa.name, passkey.name, signInSession.name];
    return { ...own, watches, factors, passkeys: passkeys.items, sessions: sessions.items };
  });
}

export const action = (args: ActionFunctionArgs) => handleSecurityChange(args);

export default function Profile() {
  const data = useLoaderData<typeof loader>();
  const reply = useActionResult<typeof action>();
  const { t } = useTranslation();
  return (
    <>
      <ItemScreen data={data} />
      <h2 className="mt-8 mb-3 text-lg font-semibold">{t('factor.security')}</h2>
      <FactorsProvider value={data.factors}>
        <div className="grid grid-cols-1 gap-4">
          <PasswordSection hasPassword={data.factors.hasPassword} result={reply} />
          <TwoStepSection factors={data.factors} result={reply} />
          <PasskeySection passkeys={data.passkeys} result={reply} />
          <SessionSection sessions={data.sessions} needsProof={data.factors.enabled} result={reply} />
          <EmailSection result={reply} />
        </div>
      </FactorsProvider>
    </>
  );
}

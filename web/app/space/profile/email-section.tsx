// The email address and the password, in the profile.
import { LinkButton } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/words.tsx';
import { Entry } from './entry.tsx';
import { IntentForm, Section } from './section.tsx';
import { replyTo, type SecurityDone } from './security-reply.ts';

export function EmailSection({ reply }: { reply: SecurityDone | undefined }) {
  const { t } = useTranslation();
  const own = replyTo(reply, 'change-email');
  return (
    <Section title={t('factor.change-email')}>
      {own && !own.errors && (
        <p role="status" className="mb-3 text-sm text-success-fg">
          {t('factor.email-sent')}
        </p>
      )}
      <IntentForm
        intent="change-email"
        submit={t('factor.change-email')}
        error={own?.errors?.['']}
        proof={{ errors: own?.errors }}
      >
        <Entry
          name="email"
          type="email"
          label={t('factor.new-email')}
          autoComplete="email"
          error={own?.errors?.email}
        />
      </IntentForm>
      <p className="mt-4">
        <LinkButton to="/change-password" reloadDocument>
          {t('factor.change-password')}
        </LinkButton>
      </p>
    </Section>
  );
}

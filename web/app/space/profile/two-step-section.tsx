// Profile section for two-step verification: setup, on, off, recovery codes, remembered browsers.
import type { Item } from '@yagura/core/resource/define-resource';
import type { mfa } from '@yagura/core/space/mfa';
import { Time } from '../../ui/text/time.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { ProfileField } from './profile-field.tsx';
import { IntentForm, ProfileSection } from './section.tsx';
import { resultFor, type SecurityResult } from './security-result.ts';

export function TwoStepSection(props: { factors: Item<typeof mfa>; result: SecurityResult | undefined }) {
  const { factors, result } = props;
  const { t } = useTranslation();
  const codes = resultFor(result, 'mfa-on', 'recovery-codes')?.recoveryCodes;
  return (
    <ProfileSection title={t('factor.heading')} text={t('factor.explain')}>
      <p className="mb-3 text-sm font-medium">
        {factors.enabledAt ? <EnabledSince at={factors.enabledAt} /> : t('factor.off')}
      </p>
      {codes && <RecoveryCodes codes={codes} />}
      {factors.enabled ? (
        <TwoStepEnabled factors={factors} result={result} />
      ) : (
        <TwoStepDisabled result={result} />
      )}
    </ProfileSection>
  );
}

function EnabledSince({ at }: { at: string }) {
  const { t } = useTranslation();
  const [before = '', after = ''] = t('factor.on', { time: '\0' }).split('\0');
  return (
    <>
      {before}
      <Time value={at} age={false} />
      {after}
    </>
  );
}

function TwoStepDisabled({ result }: { result: SecurityResult | undefined }) {
  const { t } = useTranslation();
  const prepared = resultFor(result, 'mfa-prepare');
  const tried = resultFor(result, 'mfa-on');
  if (!prepared?.setup && !tried?.errors) {
    return (
      <IntentForm
        intent="mfa-prepare"
        submit={t('factor.set-up')}
        error={prepared?.errors?.['']}
        proof={{ errors: prepared?.errors }}
      />
    );
  }
  return (
    <div className="grid gap-3">
      {prepared?.setup && <TwoStepSetup {...prepared.setup} />}
      <IntentForm intent="mfa-on" submit={t('factor.turn-on')} variant="primary" error={tried?.errors?.['']}>
        <ProfileField
          name="code"
          label={t('factor.code')}
          autoComplete="one-time-code"
          maxLength={32}
          error={tried?.errors?.code}
        />
      </IntentForm>
    </div>
  );
}

function TwoStepSetup({ secret, qrCode }: { secret: string; qrCode: string }) {
  const { t } = useTranslation();
  return (
    <>
      <p className="text-sm">{t('factor.scan')}</p>
      <img
        alt=""
        className="size-48 rounded-md bg-white p-1"
        src={`data:image/svg+xml,${encodeURIComponent(qrCode)}`}
      />
      <p className="text-sm">
        {t('factor.key')}: <code className="font-mono break-all">{secret}</code>
      </p>
    </>
  );
}

function RecoveryCodes({ codes }: { codes: string[] }) {
  const { t } = useTranslation();
  return (
    <div className="mb-4 rounded-md bg-warning-bg p-3 text-warning-fg">
      <p className="mb-2 text-sm">{t('factor.codes-once')}</p>
      <ul data-recovery-codes className="grid grid-cols-2 gap-1 font-mono text-sm">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </div>
  );
}

function TwoStepEnabled(props: { factors: Item<typeof mfa>; result: SecurityResult | undefined }) {
  const { factors, result } = props;
  const { t } = useTranslation();
  const regenerated = resultFor(result, 'recovery-codes');
  const off = resultFor(result, 'mfa-off');
  return (
    <div className="grid gap-4">
      <p className="text-sm">{t('factor.codes-left', { count: factors.recoveryCodesLeft })}</p>
      <IntentForm
        intent="recovery-codes"
        submit={t('factor.new-codes')}
        error={regenerated?.errors?.['']}
        proof={{ errors: regenerated?.errors, isAboutFactors: true }}
      />
      {factors.rememberedBrowsers > 0 && (
        <div className="flex flex-wrap items-center gap-3 text-sm">
          {t('factor.browsers', { count: factors.rememberedBrowsers })}
          <IntentForm intent="forget-browsers" submit={t('factor.forget-browsers')} />
        </div>
      )}
      <IntentForm
        intent="mfa-off"
        submit={t('factor.turn-off')}
        variant="danger"
        error={off?.errors?.['']}
        proof={{ errors: off?.errors, isAboutFactors: true }}
      />
    </div>
  );
}

// Why a session could not be connected. The texts are those of core: `stream.*`.
import { describeFailure } from '@yagura/core/greac/stream/reason-texts';
import { useTranslation } from '../ui/translation.tsx';

export interface Failure {
  code: string;
  params: Record<string, string>;
}

export function FailureInfo({ failure: { code, params } }: { failure: Failure }) {
  const { t } = useTranslation();
  const { text, details } = describeFailure(code, params);
  return (
    <>
      <p>{t(text)}</p>
      <FailureDetails details={{ code, ...details }} />
    </>
  );
}

/** Details of a failure, such as the keys of a host. */
export function FailureDetails({ details }: { details: Record<string, string> }) {
  const { t, fieldLabel } = useTranslation();
  const labels: Record<string, string> = {
    expected: t('terminal.detail.expected'),
    found: t('terminal.detail.found'),
  };
  return (
    <dl className="text-xs">
      {Object.entries(details).map(([name, value]) => (
        <div key={name} className="flex flex-wrap gap-x-2">
          <dt className="text-muted">{labels[name] ?? fieldLabel(name)}</dt>
          <dd className="font-mono break-all">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

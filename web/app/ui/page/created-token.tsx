// Shows a new token; it cannot be shown again.
import type { ReactNode } from 'react';
import { LinkButton } from '../button.tsx';
import { Icon } from '../icon.tsx';
import { CopyButton } from '../text/copy-id.tsx';
import { useTranslation } from '../translation.tsx';

export function CreatedToken(props: {
  displayName: string;
  token: string;
  /** Path of the page of all tokens. */
  list: string;
  /** How to use the token. */
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <div className="max-w-3xl space-y-4">
      <h1 className="text-xl font-semibold">{t('web.token-made', { name: props.displayName })}</h1>
      <section className="space-y-3 rounded-lg border border-line bg-surface p-5 shadow-raised">
        <p className="flex items-start gap-2 text-sm text-warning-fg">
          <Icon name="warning" className="mt-0.5" />
          {t('web.token-once')}
        </p>
        <div className="flex items-center gap-2 rounded-md border border-line bg-surface-sunken px-3 py-2">
          <code data-token className="min-w-0 flex-1 font-mono text-sm break-all">
            {props.token}
          </code>
          <CopyButton text={props.token} label={t('verb.copy')} />
        </div>
      </section>
      {props.children}
      <LinkButton to={props.list} variant="primary">
        {t('web.token-kept')}
      </LinkButton>
    </div>
  );
}

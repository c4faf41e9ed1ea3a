// Steps to a first alert, shown to a space that has received few messages and sent no alert.
import { Link } from '@remix-run/react';
import { Icon } from '../ui/icon.tsx';
import { useTranslation } from '../ui/translation.tsx';
import type { SetupProgress } from './home-data.server.ts';

const steps: { name: Exclude<keyof SetupProgress, 'triggerHref'>; to?: string }[] = [
  { name: 'slot', to: '/apps/alerthub/receive-slots/recipes' },
  { name: 'scope', to: '/apps/alerthub/scopes/new' },
  { name: 'rule', to: '/apps/alerthub/rules/new' },
  { name: 'action', to: '/apps/alerthub/actions/new' },
  { name: 'trigger' },
];

export function SetupSteps(done: SetupProgress) {
  const { t } = useTranslation();
  return (
    <section
      aria-labelledby="first-steps"
      className="rounded-lg border border-line bg-surface p-4 shadow-raised"
    >
      <h2 id="first-steps" className="font-semibold">
        {t('page.first-steps')}
      </h2>
      <p className="mt-0.5 text-sm text-muted">{t('page.first-steps-detail')}</p>
      <ol className="mt-3 grid gap-2 sm:grid-cols-2 lg:grid-cols-5">
        {steps.map(({ name, to }, index) => {
          const ready = done[name];
          return (
            <li key={name}>
              <Link
                to={to ?? done.triggerHref}
                className="flex h-full gap-2.5 rounded-md border border-line px-3 py-2 text-sm text-text no-underline hover:border-line-strong hover:bg-hover"
              >
                <span
                  className={`grid size-5 shrink-0 place-items-center rounded-full text-xs font-semibold ${ready ? 'bg-success-bg text-success-fg' : 'bg-neutral-bg text-neutral-fg'}`}
                >
                  {ready ? <Icon name="check" size={12} label={t('page.step-done')} /> : index + 1}
                </span>
                <span>{t(`page.step-${name}`)}</span>
              </Link>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

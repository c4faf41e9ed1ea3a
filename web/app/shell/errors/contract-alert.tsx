// Notice on every page if the contract could not be fetched or nothing is subscribed.

import type { ContractFields } from '../../signin/contract.server.ts';
import { useTranslation } from '../../ui/translation.tsx';

export function ContractAlert({ state }: { state: ContractFields['state'] }) {
  const { t } = useTranslation();
  if (state === 'held') return null;
  return (
    <p role="alert" className="mb-4 rounded-md bg-warning-bg px-3 py-2 text-sm text-warning-fg">
      {t(state === 'none' ? 'contract.none' : 'contract.failed')}
    </p>
  );
}

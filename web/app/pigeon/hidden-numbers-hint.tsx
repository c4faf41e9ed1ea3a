// Explains to users why phone numbers are hidden from them.
import { Icon } from '../ui/icon.tsx';
import { useTranslation } from '../ui/translation.tsx';

export function HiddenNumbersHint() {
  const { t } = useTranslation();
  return (
    <p className="mb-3 flex items-center gap-2 rounded-md bg-info-bg px-3 py-2 text-sm text-info-fg">
      <Icon name="help" />
      {t('pigeon.phone-hidden')}
    </p>
  );
}

// What happens in a previewed call and how the chain ends, as sentences.
import { dataKey } from '../i18n/message-key.ts';
import type { Translate } from '../i18n/translator.ts';
import { formatElapsed } from './call-script.ts';
import type { PreviewCall, RingPreview } from './ring-preview.ts';

/** For example `Key 1 pressed after 0:04: Stop calling`, or `Missed: No answer`. */
export function previewOutcome(
  { status, reason, keyInput, behavior, transfer }: PreviewCall,
  t: Translate,
): string {
  if (keyInput !== null && behavior !== null)
    return t('pigeon.ring-preview.key', { key: keyInput, behavior: t(`value.${behavior}`) });
  if (transfer && status === 'succeeded') return t('pigeon.script.joined');
  return reason === null
    ? t(dataKey(`value.${status}`))
    : t('pigeon.ring-preview.missed', {
        status: t(dataKey(`value.${status}`)),
        reason: t(`value.${reason}`),
      });
}

/** How the chain ends, or that the preview does not reach its end. */
export function previewEnd({ isCut, calls, status, reason, endsAt }: RingPreview, t: Translate): string {
  if (isCut) return t('pigeon.ring-preview.cut', { count: calls.length });
  return t('pigeon.ring-preview.end', {
    time: formatElapsed(endsAt),
    reason: t(dataKey(`value.${reason ?? status}`)),
  });
}

// Texts of the verdicts on log parts.
import type { MessageKey } from '../i18n/message-key.ts';
import type { LogVerdict } from './session.ts';

export const logVerdictTexts: Record<LogVerdict, MessageKey> = {
  open: 'recording.open',
  complete: 'recording.complete',
  cut: 'recording.cut',
  altered: 'recording.altered',
  unverified: 'recording.unverified',
};

import type { runbook as en } from '../en/runbook.ts';
import type { Same } from '../same.ts';

export const runbook: Same<typeof en> = {
  'runbook.notFailed': '再実行できるのは、失敗した記録の失敗したステップだけです',
};

// Retention of session logs; `LogCleanup` deletes what is older.
import { logRetention } from '@yagura/core/greac/log-retention';
import { createRetentionBehaviour } from '../resource/retention/create-retention-behaviour.ts';

export const logRetentionBehaviour = createRetentionBehaviour(logRetention, 'greac_log_retention');

// Retention settings of a space; `Retention` removes the expired data.
import { retentionSettings } from '@yagura/core/alerthub/retention-settings';
import { createRetentionBehaviour } from '../../resource/retention/create-retention-behaviour.ts';

export const retentionBehaviour = createRetentionBehaviour(retentionSettings, 'retention');

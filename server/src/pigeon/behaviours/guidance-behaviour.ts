// Guidances: checks their templates and reactions.
import { formatReason } from '@yagura/core/alerthub/engine/errors/decision-reason';
import { invalidField, Problem } from '@yagura/core/http/problem';
import { guidance } from '@yagura/core/pigeon/guidance';
import type { Item } from '@yagura/core/resource/define-resource';
import { checkGuidance } from '@yagura/core/speech/spoken-text';
import type { Behaviour } from '../../resource/behaviour.ts';
import { canSay } from '../voice/prepare-speech.ts';
import { deleteRecordings } from '../voice/recordings.ts';
import { refuseWithoutTicket } from './callflow-behaviour.ts';
import { type GuidanceServices, speechCalls } from './guidance-speech.ts';

export const guidanceBehaviour: Behaviour<typeof guidance, GuidanceServices> = {
  resource: guidance,
  calls: speechCalls,
  present: (_context, item) => ({ ...item, recording: item.recording ?? null }),
  afterRemove: (tx, context, id) => deleteRecordings(tx, context.spaceId, id),
  body(context, input, before) {
    const { messageTemplate, reactions } = input as Item<typeof guidance>;
    const errors = checkGuidance({ messageTemplate, reactions });
    if (errors.length > 0) {
      const say = (error: (typeof errors)[number]) => ({
        name: error.path,
        reason: formatReason(error.reason, context.t),
      });
      throw new Problem('invalid', { invalidParams: errors.map(say) });
    }
    // Without a tag the text is known: its calls would be rejected, at the time when they are needed.
    if (
      !messageTemplate.includes('{{') &&
      !before?.recording &&
      !canSay(messageTemplate, { needsSpeech: false })
    )
      throw invalidField('messageTemplate', context.t('pigeon.rejected.nothingToSay'));
    const earlier = (before as Item<typeof guidance> | undefined)?.reactions ?? {};
    for (const [digit, reaction] of Object.entries(reactions)) {
      const was = earlier[digit as keyof typeof earlier]?.behavior;
      if (reaction.behavior === 'transfer' && was !== 'transfer')
        refuseWithoutTicket(context, `reactions.${digit}.behavior`);
    }
    return { ...input, recording: before?.recording ?? null };
  },
};

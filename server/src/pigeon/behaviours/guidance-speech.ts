// What a guidance will sound like: voices, speech of a text, and the recorded file.
import { formatReason } from '@yagura/core/alerthub/engine/errors/decision-reason';
import { FlowError } from '@yagura/core/alerthub/engine/errors/flow-error';
import { invalidField, Problem } from '@yagura/core/http/problem';
import { voiceLanguages } from '@yagura/core/pigeon/call-constants';
import { guidance, type Recording, type SpeechRequest } from '@yagura/core/pigeon/guidance';
import type { Item } from '@yagura/core/resource/define-resource';
import { detectVoiceLanguage, renderSpokenText, voiceLanguageOf } from '@yagura/core/speech/spoken-text';
import type { Transaction } from '../../db/database.ts';
import { type Behaviour, RawReply } from '../../resource/behaviour.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import { announce } from '../../resource/item-operations.ts';
import { findItem, lockItem, updateItem } from '../../resource/item-store.ts';
import { bodyTable } from '../../resource/list/table.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import { sampleRate } from '../media/media-session.ts';
import { EngineSlots } from '../voice/engine-slots.ts';
import { canSay } from '../voice/prepare-speech.ts';
import { deleteRecordings } from '../voice/recordings.ts';
import { type SpeechRenderer, VoiceFailed } from '../voice/speech-renderer.ts';
import { writeWav } from '../voice/wav.ts';
import type { PigeonSettingServices } from './callflow-behaviour.ts';

export interface GuidanceServices extends PigeonSettingServices {
  speech: SpeechRenderer;
}
type Context = RequestContext<GuidanceServices>;
/** Guidances stored before there were recordings have none. */
type Guidance = Omit<Item<typeof guidance>, 'recording'> & { recording?: Recording | null };

/** One text at a time is spoken for the console, so that calls always find a free engine. */
const slots = new EngineSlots(1, 20);

const table = bodyTable(guidance);

export const speechCalls: NonNullable<Behaviour<typeof guidance, GuidanceServices>['calls']> = {
  async voices({ services }) {
    const installed = services.speech.languages();
    return { languages: voiceLanguages.filter((language) => installed.has(language)) };
  },
  async speech(context, request) {
    const found = request.guidanceId === undefined ? null : await readGuidance(context, request.guidanceId);
    if (request.guidanceId !== undefined && !found)
      throw invalidField('guidanceId', context.t('pigeon.rejected.guidance'));
    const recorded = found?.recording && (await readRecorded(context, found.recording.recordingId));
    return recorded ?? speak(context, request, found?.messageTemplate ?? request.text ?? '');
  },
  async recording(context) {
    const found = await readGuidance(context, context.params.guidanceId);
    if (!found) throw itemNotFound(context, guidance);
    const recorded = found.recording && (await readRecorded(context, found.recording.recordingId));
    if (!recorded) throw recordingNotFound(context);
    return recorded;
  },
  async 'delete-recording'(context) {
    const { guidanceId = '' } = context.params;
    await context.transaction(async (tx) => {
      const before = await changeRecording(context, tx, guidanceId, null);
      if (!before.recording) throw recordingNotFound(context);
      await deleteRecordings(tx, context.spaceId, guidanceId);
    });
    announce(context, guidance, guidanceId, 'update');
  },
};

const recordingNotFound = ({ t }: Pick<Context, 't'>) =>
  new Problem('not-found', { detail: t('refusal.no-recording') });

async function readGuidance(context: Context, guidanceId = ''): Promise<Guidance | undefined> {
  const found = await findItem(context.services.database, context, guidance, table, guidanceId);
  return found?.item as Guidance | undefined;
}

/** Changes the recording of a guidance; returns the guidance as it was. Throws a 404 if there is none. */
export async function changeRecording(
  context: Context,
  tx: Transaction,
  guidanceId: string,
  recording: Recording | null,
): Promise<Guidance> {
  const before = await lockItem(tx, context, guidance, guidanceId);
  if (!before) throw itemNotFound(context, guidance);
  await updateItem(tx, context, guidance, guidanceId, { ...before.body, recording });
  return before.body as Guidance;
}

async function readRecorded(context: Context, recordingId: string): Promise<RawReply | null> {
  const samples = await context.services.speech.recording(context.spaceId, recordingId);
  return samples && toReply(samples);
}

/** The audio of the filled template. */
async function speak(context: Context, request: SpeechRequest, template: string): Promise<RawReply> {
  const { t, services, spaceId } = context;
  const field = request.guidanceId === undefined ? 'text' : 'guidanceId';
  const text = fillTemplate(context, template, request.parameters, field);
  if (!canSay(text, { needsSpeech: true })) throw invalidField(field, t('pigeon.rejected.nothingToSay'));
  const language = voiceLanguageOf(text, request.language ?? detectVoiceLanguage(text));
  if (!services.speech.languages().has(language))
    throw new Problem('conflict', {
      detail: t('pigeon.rejected.noVoice', { language: t(`pigeon.language.${language}`) }),
    });
  try {
    return toReply(await slots.run(() => services.speech.render(spaceId, text, language)));
  } catch (error) {
    if (!(error instanceof VoiceFailed)) throw error;
    throw new Problem('unavailable', { detail: t('pigeon.voice-failed'), cause: error });
  }
}

function fillTemplate(
  context: Context,
  template: string,
  parameters: Record<string, unknown>,
  field: string,
): string {
  try {
    return renderSpokenText(template, parameters).text;
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    throw invalidField(field, formatReason(error.reason, context.t));
  }
}

function toReply(samples: Int16Array): RawReply {
  return new RawReply(writeWav({ rate: sampleRate, samples }), {
    'content-type': 'audio/wav',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
}

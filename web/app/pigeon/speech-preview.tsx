// What a callee will hear: the filled template, how it is read aloud, and its audio.
import { formatReason } from '@yagura/core/alerthub/engine/errors/decision-reason';
import { FlowError } from '@yagura/core/alerthub/engine/errors/flow-error';
import { readAloud } from '@yagura/core/speech/read-aloud/read-aloud';
import { detectVoiceLanguage, renderSpokenText } from '@yagura/core/speech/spoken-text';
import { useState } from 'react';
import { useTranslation } from '../ui/translation.tsx';
import { ParameterInputs } from './parameter-inputs.tsx';
import { toNestedObject, variableNames } from './sample-parameters.ts';
import { SpeechPlayer } from './speech-player.tsx';

/** Without `voices`, nothing can be played: they are not known in forms. */
export function SpeechPreview({ template, voices }: { template: string; voices?: readonly string[] }) {
  const { t, language: pageLanguage } = useTranslation();
  const [samples, setSamples] = useState<Record<string, string>>({});
  const names = variableNames(template);
  const parameters = toNestedObject(samples);
  const { text, error } = render(template, parameters);
  const language = detectVoiceLanguage(text);
  const spoken = error ? '' : readAloud(text, language);
  return (
    <section
      aria-label={t('pigeon.preview')}
      className="grid gap-2 rounded-md border border-line bg-surface-sunken p-3 text-sm"
    >
      <h3 className="font-medium">{t('pigeon.preview')}</h3>
      <ParameterInputs names={names} values={samples} onChange={setSamples} />
      <p aria-live="polite" className="whitespace-pre-wrap">
        {error ? formatReason(error.reason, t) : text || t('pigeon.preview-empty')}
      </p>
      {spoken && spoken !== text && (
        <p className="text-muted" lang={language}>
          <span lang={pageLanguage}>{t('pigeon.read-as')}</span> {spoken}
        </p>
      )}
      {voices && spoken && (
        <SpeechPlayer
          key={template}
          request={{ text: template, parameters }}
          language={language}
          voices={voices}
        />
      )}
    </section>
  );
}

function render(template: string, parameters: Record<string, unknown>): { text: string; error?: FlowError } {
  try {
    return { text: renderSpokenText(template, parameters).text };
  } catch (error) {
    if (error instanceof FlowError) return { text: '', error };
    throw error;
  }
}

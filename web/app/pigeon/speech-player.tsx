// Plays what a callee will hear, or says how to install the missing voice.
import { Problem, problemFromReply } from '@yagura/core/http/problem';
import type { SpeechRequest } from '@yagura/core/pigeon/guidance';
import type { VoiceLanguage } from '@yagura/core/speech/spoken-text';
import { useEffect, useState } from 'react';
import { useProblemText } from '../resource/write/use-problem-toast.ts';
import { Button } from '../ui/button.tsx';
import { useToast } from '../ui/overlay/toast.tsx';
import { useTranslation } from '../ui/translation.tsx';

/** Packages of Debian; those of Japanese include one from contrib. */
const packages: Record<VoiceLanguage, string> = {
  en: 'espeak-ng',
  ja: 'open-jtalk open-jtalk-mecab-naist-jdic hts-voice-nitech-jp-atr503-m001',
};

export function SpeechPlayer(props: {
  request: Pick<SpeechRequest, 'text' | 'parameters'>;
  language: VoiceLanguage;
  voices: readonly string[];
}) {
  const { t } = useTranslation();
  const toast = useToast();
  const formatProblem = useProblemText();
  const [isBusy, setIsBusy] = useState(false);
  const [speech, setSpeech] = useState<{ of: string; url: string }>();
  const wanted = JSON.stringify({ ...props.request, language: props.language });
  useEffect(() => () => speech && URL.revokeObjectURL(speech.url), [speech]);
  if (!props.voices.includes(props.language))
    return (
      <p className="text-muted">
        {t('pigeon.no-voice', { language: t(`pigeon.language.${props.language}`) })}{' '}
        <code className="font-mono text-xs">apt install {packages[props.language]}</code>
      </p>
    );
  const play = async () => {
    setIsBusy(true);
    try {
      setSpeech({ of: wanted, url: URL.createObjectURL(await fetchSpeech(wanted)) });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      toast.error(formatProblem({ problem: error }));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button busy={isBusy} onClick={() => void play()}>
        {isBusy ? t('pigeon.speaking') : t('pigeon.play')}
      </Button>
      {speech?.of === wanted && (
        // biome-ignore lint/a11y/useMediaCaption: the text is shown above
        <audio controls autoPlay src={speech.url} aria-label={t('pigeon.preview')} className="h-8" />
      )}
    </div>
  );
}

/** The audio, through the console, which holds the user's token. Throws Problem. */
async function fetchSpeech(request: string): Promise<Blob> {
  const path = '/apps/pigeon/speech';
  const reply = await fetch(path, { method: 'POST', body: request, redirect: 'manual' }).catch((cause) => {
    throw new Problem('unreachable', { cause });
  });
  if (reply.type === 'opaqueredirect') throw new Problem('sign-in-required');
  if (reply.ok && reply.headers.get('content-type') === 'audio/wav') return reply.blob();
  const body = (await reply.json().catch(() => null)) as { problem?: { status: number } } | null;
  throw problemFromReply(body?.problem?.status ?? reply.status, body?.problem ?? body, { instance: path });
}

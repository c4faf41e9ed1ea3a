// Badge of a choice value: a chip from medium width up; below, an icon with the text beside it.
import type { Tone } from '@yagura/core/resource/field';
import { classNames } from '../class-names.ts';
import { Icon, type IconName } from '../icon.tsx';
import { Tooltip } from '../overlay/tooltip.tsx';
import { toneClass, toneIcon } from '../tones.ts';
import { useTranslation } from '../translation.tsx';

/** `options` lists the known values; any other shows the Error label with a help icon. */
export function StatusBadge(props: {
  value: string | null | undefined;
  tones?: Record<string, Tone>;
  options?: readonly string[];
}) {
  const { t, choiceLabel: word } = useTranslation();
  const key = props.value ?? '';
  const known = props.options ? props.options.includes(key) : key !== '';
  if (!known) {
    return (
      <Tooltip text={t('ui.missing-key', { key: key || '—' })}>
        <Chip tone="danger" icon="help" text={t('text.error')} />
      </Tooltip>
    );
  }
  const tone = props.tones?.[key] ?? 'neutral';
  return <Chip tone={tone} icon={toneIcon[tone]} text={word(key)} title={word(key)} />;
}

function Chip(props: { tone: Tone; icon: IconName; text: string; title?: string }) {
  const tone = toneClass[props.tone];
  return (
    <span
      title={props.title}
      className={classNames(
        'inline-flex min-h-6 items-center gap-1 align-middle text-xs font-medium max-md:bg-transparent md:rounded-full md:px-2 md:whitespace-nowrap',
        tone,
      )}
    >
      <span
        className={classNames(
          'inline-flex shrink-0 items-center justify-center rounded-full max-md:size-6 md:bg-transparent',
          tone,
        )}
      >
        <Icon name={props.icon} size={13} />
      </span>
      {props.text}
    </span>
  );
}

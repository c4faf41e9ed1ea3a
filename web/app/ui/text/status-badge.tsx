// Badge of a choice value: a chip with text from medium width up, the icon alone below.
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
  return (
    <span
      title={props.title}
      className={classNames(
        'inline-flex h-6 min-w-6 items-center align-middle justify-center gap-1 rounded-full px-1 text-xs font-medium md:px-2',
        toneClass[props.tone],
      )}
    >
      <Icon name={props.icon} size={13} />
      <span className="sr-only md:not-sr-only md:whitespace-nowrap">{props.text}</span>
    </span>
  );
}

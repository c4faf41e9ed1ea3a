// Copies a text on click and shows "Copied".
import { useEffect, useRef, useState } from 'react';
import { classNames } from '../class-names.ts';
import { Icon } from '../icon.tsx';
import { useTranslation } from '../translation.tsx';

/** Time in milliseconds for which "Copied" is shown. */
const copiedMessageMs = 1500;

/** An item's id that is copied on click. */
export function CopyId({ id, className }: { id: string; className?: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton
      text={id}
      label={t('ui.copy-id')}
      className={classNames('font-mono text-xs text-muted', className)}
    >
      {id}
    </CopyButton>
  );
}

/** Button that copies `text`. `label` is its accessible name; without children it shows an icon. */
export function CopyButton(props: {
  text: string;
  label: string;
  className?: string;
  children?: React.ReactNode;
}) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  async function copy() {
    if (!(await copyText(props.text))) return;
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), copiedMessageMs);
  }

  return (
    <button
      type="button"
      onClick={copy}
      title={props.label}
      className={classNames(
        'inline-flex min-h-6 min-w-6 max-w-full items-center justify-center gap-1 rounded-sm px-1 hover:bg-hover',
        props.className,
      )}
    >
      {props.children && <span className="truncate">{props.children}</span>}
      <Icon name={copied ? 'check' : 'copy'} size={13} label={props.children ? undefined : props.label} />
      <span role="status" className={copied ? 'font-sans text-xs text-success-fg' : 'sr-only'}>
        {copied ? t('text.copied') : ''}
      </span>
    </button>
  );
}

/**
 * Copies with the Clipboard API, or with a hidden selection on pages without TLS, where it is unavailable.
 */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.style.position = 'fixed';
    area.style.opacity = '0';
    document.body.append(area);
    area.select();
    const done = document.execCommand?.('copy') ?? false;
    area.remove();
    return done;
  }
}

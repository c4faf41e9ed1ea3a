// Buttons and links that look like buttons, in four weights and two sizes.
import { Link, type LinkProps } from '@remix-run/react';
import type { ButtonHTMLAttributes } from 'react';
import { classes } from './classes.ts';
import { Icon, type IconName } from './icon.tsx';

export type ButtonLook = 'primary' | 'default' | 'quiet' | 'danger';
export type ButtonSize = 'small' | 'medium';

interface Look {
  variant?: ButtonLook;
  size?: ButtonSize;
  icon?: IconName;
}

const looks: Record<ButtonLook, string> = {
  primary: 'border-transparent bg-primary text-on-primary hover:bg-primary-hover',
  default: 'border-line-strong/60 bg-surface hover:bg-hover',
  quiet: 'border-transparent bg-transparent hover:bg-hover',
  danger: 'border-transparent bg-danger text-on-danger hover:opacity-90',
};

const sizes: Record<ButtonSize, string> = {
  small: 'h-7 min-w-7 px-2 text-xs',
  medium: 'h-8 min-w-8 px-3 text-sm',
};

function lookOf({ variant = 'default', size = 'medium' }: Look, extra?: string): string {
  return classes(
    'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap',
    'no-underline disabled:cursor-default disabled:opacity-55 aria-disabled:opacity-55',
    sizes[size],
    looks[variant],
    extra,
  );
}

/** A button of type `button` unless said otherwise. `busy` disables it and shows that it works. */
export function Button({
  variant,
  size,
  icon,
  busy = false,
  className,
  children,
  disabled,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & Look & { busy?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={lookOf({ variant, size }, className)}
    >
      {busy ? <Icon name="progress" className="motion-safe:animate-spin" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A square button with an icon only; `label` is its name. */
export function IconButton({
  label,
  icon,
  variant = 'quiet',
  size = 'small',
  className,
  ...rest
}: Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> & Look & { label: string; icon: IconName }) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={lookOf({ variant, size }, classes('px-0!', className))}
    >
      <Icon name={icon} />
    </button>
  );
}

/** A link with the look of a button. */
export function LinkButton({ variant, size, icon, className, children, ...rest }: LinkProps & Look) {
  return (
    <Link {...rest} className={lookOf({ variant, size }, className)}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  );
}

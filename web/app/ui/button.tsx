// Buttons and links styled as buttons, in four variants and two sizes.
import { Link, type LinkProps } from '@remix-run/react';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';

export type ButtonVariant = 'primary' | 'default' | 'quiet' | 'danger';
export type ButtonSize = 'small' | 'medium';

interface ButtonStyleProps {
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: IconName;
}

const variantClasses: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-primary text-on-primary hover:bg-primary-hover',
  default: 'border-line-strong/60 bg-surface hover:bg-hover',
  quiet: 'border-transparent bg-transparent hover:bg-hover',
  danger: 'border-transparent bg-danger text-on-danger hover:opacity-90',
};

const sizeClasses: Record<ButtonSize, string> = {
  small: 'h-7 min-w-7 px-2 text-xs',
  medium: 'h-8 min-w-8 px-3 text-sm',
};

function buttonClasses({ variant = 'default', size = 'medium' }: ButtonStyleProps, extra?: string): string {
  return classNames(
    'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap',
    'no-underline disabled:cursor-default disabled:opacity-55 aria-disabled:opacity-55 print:hidden',
    sizeClasses[size],
    variantClasses[variant],
    extra,
  );
}

/**
 * Button with type `button` by default. `busy` shows a progress state and ignores activation; unlike
 * `disabled`, it keeps the focus.
 */
export function Button({
  variant,
  size,
  icon,
  busy = false,
  className,
  children,
  onClick,
  ...rest
}: ComponentProps<'button'> & ButtonStyleProps & { busy?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      className={buttonClasses({ variant, size }, className)}
    >
      {busy ? <Icon name="progress" className="motion-safe:animate-spin" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** Square button with an icon only; `label` is its accessible name. */
export function IconButton({
  label,
  icon,
  variant = 'quiet',
  size = 'small',
  className,
  ...rest
}: Omit<ComponentProps<'button'>, 'children'> & ButtonStyleProps & { label: string; icon: IconName }) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={buttonClasses({ variant, size }, classNames('px-0!', className))}
    >
      <Icon name={icon} />
    </button>
  );
}

/** Link styled as a button. */
export function LinkButton({
  variant,
  size,
  icon,
  className,
  children,
  ...rest
}: LinkProps & ButtonStyleProps) {
  return (
    <Link {...rest} className={buttonClasses({ variant, size }, className)}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  );
}

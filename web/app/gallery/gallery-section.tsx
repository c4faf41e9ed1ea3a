// Frame around a component in the gallery.
import type { ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';

export function GallerySection({
  name,
  wide,
  children,
}: {
  name: string;
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <section
      aria-label={name}
      className={classNames('min-w-0 rounded-lg border border-line bg-surface p-4', wide && 'col-span-full')}
    >
      <h2 className="mb-3 font-mono text-xs text-muted">{name}</h2>
      {children}
    </section>
  );
}

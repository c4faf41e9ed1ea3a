// Labeled part of a compound input; the parts share one frame.
import type { ReactNode } from 'react';

export function LabelledPart({ id, text, children }: { id: string; text: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {text}
      </label>
      {children}
    </div>
  );
}

// The phones that a preview calls.
import type { RingPreview } from '@yagura/core/pigeon/ring-preview';

export interface PreviewPhone {
  position: number;
  /** Name of the contact; may be empty. */
  name: string;
  phoneNumber: string | null;
}

/** Each phone once, in the order in which they are called. */
export function phonesOf(preview: RingPreview | undefined): PreviewPhone[] {
  const phones = new Map(
    preview?.calls.map(({ position, contact, phoneNumber }) => [
      position,
      { position, name: contact.displayName, phoneNumber },
    ]),
  );
  return [...phones.values()].sort((one, other) => one.position - other.position);
}

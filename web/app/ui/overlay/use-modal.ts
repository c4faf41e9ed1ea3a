// Shows a <dialog> modally for as long as its component is rendered; the focus then returns to where it was.
import { type RefObject, useLayoutEffect } from 'react';

export function useModal(dialog: RefObject<HTMLDialogElement | null>): void {
  useLayoutEffect(() => {
    const node = dialog.current!;
    node.showModal();
    // The browser returns the focus only from a dialog that is closed before it is removed.
    return () => node.close();
  }, [dialog]);
}

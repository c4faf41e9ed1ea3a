// Drawer on small screens: a modal dialog at the left edge, so that the browser keeps the focus inside.
import { type ReactNode, useEffect, useRef } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { ProductLogo } from '../navigation/nav-icon.tsx';

export function MobileDrawer(props: {
  open: boolean;
  label: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (props.open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [props.open]);
  return (
    <dialog
      ref={dialog}
      aria-label={props.label}
      onClose={props.onClose}
      onClick={(event) => event.target === event.currentTarget && props.onClose()}
      onKeyDown={(event) => event.key === 'Escape' && props.onClose()}
      className="m-0 h-dvh max-h-none w-72 max-w-[85vw] overflow-y-auto border-r border-line bg-surface shadow-float"
    >
      {props.open && (
        <>
          <div className="flex h-12 items-center justify-between border-b border-line px-3">
            <ProductLogo />
            <IconButton icon="close" size="medium" label={t('verb.close')} onClick={props.onClose} />
          </div>
          {props.children}
        </>
      )}
    </dialog>
  );
}

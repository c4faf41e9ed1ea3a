// A dialog whose code is loaded when it is first opened.
import { type ComponentType, useEffect, useState } from 'react';
import { useToast } from '../overlay/toast.tsx';
import { useTranslation } from '../translation.tsx';
import { loadChunk } from './load-chunk.ts';

/** Closes the dialog with a notice if the code cannot be loaded: the page behind it, and what is typed there, stays. */
export function deferDialog<Props extends { onClose: () => void }>(
  name: string,
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  return (props) => {
    const { t } = useTranslation();
    const toast = useToast();
    const [module, setModule] = useState<{ default: ComponentType<Props> }>();
    // The code is loaded once, however often the page is rendered meanwhile.
    useEffect(() => {
      let isOpen = true;
      loadChunk(name, load).then(setModule, () => {
        if (!isOpen) return;
        toast.error(t('text.error-detail'));
        props.onClose();
      });
      return () => {
        isOpen = false;
      };
    }, []);
    return module && <module.default {...props} />;
  };
}

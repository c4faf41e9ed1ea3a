// A dialog whose code is loaded when it is first opened.
import { type ComponentType, useEffect, useState } from 'react';
import { useToast } from '../overlay/toast.tsx';
import { useTranslation } from '../translation.tsx';

/** Closes the dialog with a notice if the code cannot be loaded: the page behind it, and what is typed there, stays. */
export function deferDialog<Props extends { onClose: () => void }>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  return (props) => {
    const { t } = useTranslation();
    const toast = useToast();
    const [module, setModule] = useState<{ default: ComponentType<Props> }>();
    useEffect(() => {
      let isOpen = true;
      load().then(setModule, () => {
        if (!isOpen) return;
        toast.error(t('problem.unreachable'));
        props.onClose();
      });
      return () => {
        isOpen = false;
      };
      // The code is loaded once, however often the page is rendered meanwhile.
    }, []);
    return module && <module.default {...props} />;
  };
}

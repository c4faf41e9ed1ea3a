// A component whose code is loaded when it is first shown.
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

/**
 * Shows `fallback` until the code is loaded; what fails is thrown to the error boundary. React's `lazy` would show the
 * component at the earliest 300 ms after the fallback, however soon it is there.
 */
export function deferComponent<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props & { fallback?: ReactNode }> {
  return (props) => {
    const [module, setModule] = useState<{ default: ComponentType<Props> }>();
    useEffect(() => {
      load().then(setModule, (error) =>
        setModule(() => {
          throw error;
        }),
      );
    }, []);
    return module ? <module.default {...props} /> : props.fallback;
  };
}

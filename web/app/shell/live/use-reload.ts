// Reloads the data of the page when that disturbs nothing.
import { useFetchers, useNavigation, useRevalidator } from '@remix-run/react';
import { useRef } from 'react';

/**
 * Returns a stable function that revalidates the page's loaders and returns true, or returns false while data is
 * loading or a form is being submitted. The router drops the redirect of a fetcher's action if a reload starts before
 * the action has replied, and a reload that starts during another one aborts that.
 */
export function useReload(): () => boolean {
  const { revalidate, state } = useRevalidator();
  const navigation = useNavigation();
  const isSubmitting = useFetchers().some((fetcher) => fetcher.state === 'submitting');
  const isBusy = state === 'loading' || navigation.state !== 'idle' || isSubmitting;
  const now = useRef({ revalidate, isBusy });
  now.current = { revalidate, isBusy };
  const reload = useRef(() => {
    if (now.current.isBusy) return false;
    now.current.revalidate();
    return true;
  });
  return reload.current;
}

// Builds the URLs of a page's pager: the current URL with another page or size.
import { useLocation, useNavigate, useSearchParams } from '@remix-run/react';

export function usePageLinks(): { hrefOf: (page: number) => string; sizeTo: (size: number) => void } {
  const { pathname } = useLocation();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const withParams = (changes: Record<string, string | null>) => {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) next.delete(name);
      else next.set(name, value);
    }
    return `${pathname}${next.size > 0 ? `?${next}` : ''}`;
  };
  return {
    hrefOf: (page) => withParams({ page: page > 1 ? String(page) : null }),
    sizeTo: (size) => navigate(withParams({ size: String(size), page: null })),
  };
}

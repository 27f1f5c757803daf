import { type NavigateOptions, useLocation, useNavigate } from 'react-router-dom';

/** Reads `location`, because the router lags behind in a transition; returns false on a left screen. */
export function useQueryChange(): (
  change: (query: URLSearchParams) => void,
  options?: NavigateOptions,
) => boolean {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return (change, options) => {
    if (window.location.pathname !== pathname) return false;
    const query = new URLSearchParams(window.location.search);
    change(query);
    void navigate({ search: `?${query}` }, options);
    return true;
  };
}

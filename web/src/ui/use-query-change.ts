import { type NavigateOptions, useLocation, useNavigate } from 'react-router-dom';

/**
 * Changes the query of the address; what else stands there stays. The address itself is asked: the router follows it in
 * a transition, and the screen may still show the one before. A screen that has been left changes nothing: false.
 */
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

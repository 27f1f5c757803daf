import { type NavigateOptions, useLocation, useNavigate } from 'react-router-dom';

/**
 * Returns a function that changes the URL's query. If the user has left the screen, the function only returns
 * false. It uses `window.location`, because the router's location is out of date during a transition.
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

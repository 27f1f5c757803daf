import { createSearchParams, useLocation, useSearchParams } from 'react-router-dom';

const PARAMETER = 'event';

/** The present address with the details dialog of an event open over it: a link that can be shared. */
export function useDetailsLink(eventId: string) {
  const { pathname, search } = useLocation();
  const parameters = createSearchParams(search);
  parameters.set(PARAMETER, eventId);
  return { pathname, search: `?${parameters}` };
}

/** The event whose details the address asks for, and the way to take it out of the address again. */
export function useOpenDetails(): { eventId: string | null; close: () => void } {
  const [search, setSearch] = useSearchParams();
  const close = () =>
    setSearch(
      (current) => {
        current.delete(PARAMETER);
        return current;
      },
      // Going back does not open again what was closed.
      { replace: true },
    );
  return { eventId: search.get(PARAMETER), close };
}

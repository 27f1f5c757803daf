import type { MouseEvent } from 'react';
import { createSearchParams, useLocation, useSearchParams } from 'react-router-dom';
import { useQueryChange } from '../../../ui/use-query-change';

const PARAMETER = 'event';

/** A link to the present address with the details dialog of an event open over it, which can be shared. */
export function useDetailsLink(eventId: string) {
  const { pathname, search } = useLocation();
  const changeQuery = useQueryChange();
  const parameters = createSearchParams(search);
  parameters.set(PARAMETER, eventId);
  return {
    to: { pathname, search: `?${parameters}` },
    onClick: (event: MouseEvent) => {
      const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
      if (!elsewhere && changeQuery((query) => query.set(PARAMETER, eventId))) event.preventDefault();
    },
  };
}

/** The event whose details the address asks for, and `close`, which removes it from the address. */
export function useOpenDetails(): { eventId: string | null; close: () => void } {
  const [search] = useSearchParams();
  const changeQuery = useQueryChange();
  // Going back does not open a closed dialog again.
  const close = () => void changeQuery((query) => query.delete(PARAMETER), { replace: true });
  return { eventId: search.get(PARAMETER), close };
}

import type { MouseEvent } from 'react';
import { createSearchParams, useLocation, useSearchParams } from 'react-router-dom';
import { useQueryChange } from '../../../ui/use-query-change';

const PARAMETER = 'event';

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

export function useOpenDetails(): { eventId: string | null; close: () => void } {
  const [search] = useSearchParams();
  const changeQuery = useQueryChange();
  const close = () => void changeQuery((query) => query.delete(PARAMETER), { replace: true });
  return { eventId: search.get(PARAMETER), close };
}

import { createSearchParams, useLocation } from 'react-router-dom';

/** The present address with the details dialog of an event open over it: a link that can be shared. */
export function useDetailsLink(eventId: string) {
  const { pathname, search } = useLocation();
  const parameters = createSearchParams(search);
  parameters.set('event', eventId);
  return { pathname, search: `?${parameters}` };
}

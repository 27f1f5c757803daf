import type { Community } from '@meetmark/contracts';
import { queryOptions } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { sendForJson } from './client';
import { dehydratedBody } from './dehydrated-queries';
import { otherLocale } from './language';

export const communityQuery = queryOptions({
  queryKey: ['/api/config'],
  queryFn: ({ signal }) => sendForJson<Community>('/api/config', { signal }),
  initialData: () => dehydratedBody<Community>('/api/config'),
  select: (community: Community) => ({ ...community, locale: otherLocale() ?? community.locale }),
});

export const CommunityContext = createContext<Community | null>(null);

export function useCommunity(): Community {
  const community = use(CommunityContext);
  if (!community) throw new Error('useCommunity is used outside of CommunityGate');
  return community;
}

import { useEffect } from 'react';
import { useCommunity } from '../api/community';

/** Names the browser's tab after the screen and the community. */
export function usePageTitle(title?: string): void {
  const { name } = useCommunity();
  useEffect(() => {
    document.title = title ? `${title} · ${name}` : name;
  }, [title, name]);
}

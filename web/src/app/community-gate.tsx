import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CommunityContext, communityQuery } from '../api/community';
import { CentredSpinner } from '../ui/centred-spinner';
import { ErrorState } from '../ui/error-state';
import styles from './community-gate.module.css';

/** Holds the screens back until the community's name, currency and time zone are known. */
export function CommunityGate({ children }: { children: ReactNode }) {
  const { data: community, error, refetch } = useQuery(communityQuery);
  if (community) return <CommunityContext value={community}>{children}</CommunityContext>;
  if (!error) return <CentredSpinner />;
  return (
    <main className={styles.gate}>
      <ErrorState error={error} retry={() => void refetch()} />
    </main>
  );
}

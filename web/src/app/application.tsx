import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { CommunityContext, communityQuery } from '../api/community';
import { createQueryClient } from '../api/query-client';
import { SessionProvider } from '../features/auth/session';
import { FreshSignIn } from '../features/security/fresh-sign-in';
import { CentredSpinner } from '../ui/centred-spinner';
import { ErrorBoundary } from '../ui/error-boundary';
import { ErrorState } from '../ui/feedback';
import { AwaitedParts } from '../ui/lazy';
import styles from './app.module.css';
import { Router } from './router';
import { ThemeProvider } from './theme/theme-provider';

export function Application() {
  const [queryClient] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queryClient}>
      <ThemeProvider>
        <ErrorBoundary>
          <SessionProvider>
            <CommunityGate>
              <BrowserRouter>
                <Router />
                <AwaitedParts />
              </BrowserRouter>
              <FreshSignIn />
            </CommunityGate>
          </SessionProvider>
        </ErrorBoundary>
      </ThemeProvider>
    </QueryClientProvider>
  );
}

function CommunityGate({ children }: { children: ReactNode }) {
  const { data: community, error, refetch } = useQuery(communityQuery);
  if (community) return <CommunityContext value={community}>{children}</CommunityContext>;
  if (!error) return <CentredSpinner />;
  return (
    <main className={styles.gate}>
      <ErrorState error={error} retry={() => void refetch()} />
    </main>
  );
}

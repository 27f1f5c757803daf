import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { createQueryClient } from '../api/query-client';
import { SessionProvider } from '../features/auth/session';
import { FreshSignInProvider } from '../features/security/fresh-sign-in';
import { AwaitedParts } from '../ui/late';
import { CommunityGate } from './community-gate';
import { ErrorBoundary } from './error-boundary';
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
              <FreshSignInProvider>
                <BrowserRouter>
                  <Router />
                  <AwaitedParts />
                </BrowserRouter>
              </FreshSignInProvider>
            </CommunityGate>
          </SessionProvider>
        </ErrorBoundary>
      </ThemeProvider>
    </QueryClientProvider>
  );
}

import type { ReactNode } from 'react';
import { Outlet } from 'react-router-dom';
import { LoggedOutRedirect } from '../features/auth/logged-out';
import { useSession } from '../features/auth/session';

interface SignedInOnlyProps {
  /** What a visitor sees instead. */
  landing: ReactNode;
  /** Whether a visitor is also told so and sent to the login (dashboard and administration). */
  redirect?: boolean;
}

export function SignedInOnly({ landing, redirect = false }: SignedInOnlyProps) {
  const { user } = useSession();
  if (user) return <Outlet />;
  return (
    <>
      {redirect && <LoggedOutRedirect />}
      {landing}
    </>
  );
}

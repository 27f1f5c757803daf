import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Navigate } from 'react-router-dom';
import { secondFactorsQuery } from './security.api';

/** Where administrators need a second factor, one without it is led to where it is added: the server refuses everything else. */
export function SecondFactorGate({ has, children }: { has: boolean; children: ReactNode }) {
  const { data } = useQuery({ ...secondFactorsQuery, enabled: !has });
  if (!has && data?.required) return <Navigate to="/profile#security" replace />;
  return children;
}

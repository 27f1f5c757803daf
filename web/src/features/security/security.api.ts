import type { AddedFactor, OwnSession, SecondFactors } from '@meetmark/contracts';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { send, sendForJson } from '../../api/client';
import { ALWAYS_STALE, CURRENT_USER_KEY } from '../../api/query-client';
import { useFreshSignIn } from './fresh-sign-in';

const FACTORS = '/api/user/second-factors';
const SESSIONS = '/api/user/sessions';

export const secondFactorsQuery = queryOptions({
  queryKey: [FACTORS],
  queryFn: ({ signal }) => sendForJson<SecondFactors>(FACTORS, { signal }),
  ...ALWAYS_STALE,
});

export const ownSessionsQuery = queryOptions({
  queryKey: [SESSIONS],
  queryFn: ({ signal }) => sendForJson<OwnSession[]>(SESSIONS, { signal }),
  ...ALWAYS_STALE,
});

const post = <T>(path: string, body?: unknown) => sendForJson<T>(path, { method: 'POST', body });

/** A change of one's own factors: asks for a fresh sign-in if needed, and fetches what has changed. */
function useFactorChange<Payload, Answer>(change: (payload: Payload) => Promise<Answer>) {
  const client = useQueryClient();
  const fresh = useFreshSignIn();
  return useMutation({
    mutationFn: (payload: Payload) => fresh(() => change(payload)),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [FACTORS] });
      await client.invalidateQueries({ queryKey: [SESSIONS] });
      await client.invalidateQueries({ queryKey: CURRENT_USER_KEY });
    },
  });
}

export const useBeginTotp = () =>
  useFactorChange(() => post<{ secret: string; uri: string }>(`${FACTORS}/totp`));

export const useConfirmTotp = () =>
  useFactorChange((fields: { name: string; code: string }) =>
    post<AddedFactor>(`${FACTORS}/totp/confirm`, fields),
  );

/** Has the browser make a passkey and sends it. Rejects with WebAuthn's own error when the person or the device declines. */
export const useAddPasskey = () =>
  useFactorChange(async ({ name }: { name: string }) => {
    const [{ startRegistration }, optionsJSON] = await Promise.all([
      import('@simplewebauthn/browser'),
      post<PublicKeyCredentialCreationOptionsJSON>(`${FACTORS}/passkey`),
    ]);
    const response = await startRegistration({ optionsJSON });
    return post<AddedFactor>(`${FACTORS}/passkey/confirm`, { name, response });
  });

export const useRemoveFactor = () =>
  useFactorChange((id: string) => send(`${FACTORS}/${id}`, { method: 'DELETE' }));

export const useRenewRecoveryCodes = () =>
  useFactorChange(() => post<{ recoveryCodes: string[] }>('/api/user/recovery-codes'));

/** Ends one session by its id, or all but this one. */
export function useEndSessions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id?: string) =>
      send(id === undefined ? SESSIONS : `${SESSIONS}/${id}`, { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: [SESSIONS] }),
  });
}
